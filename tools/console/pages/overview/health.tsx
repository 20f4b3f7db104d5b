import type { Finding } from '../../../operator/doctor/finding.ts';
import { counted } from '../../../operator/text.ts';
import { Sentence, Tag } from '../../components/text.tsx';
import { NextPage } from '../../http/next-page.tsx';

const tones = { ok: 'good', warning: 'warning', failed: 'bad' } as const;

/** The health of the deployment in one line, then the next steps and the news, then the checks without findings. */
export function Health({ findings }: { readonly findings: readonly Finding[] }) {
  const of = (state: Finding['state']) => findings.filter((finding) => finding.state === state);
  const toDo = [...of('failed'), ...of('warning')];
  const [news, passed] = [true, false].map((isNews) =>
    of('ok').filter((finding) => (finding.isNews ?? false) === isNews),
  );
  return (
    <div class={`note ${tones[toDo[0]?.state ?? 'ok']}`}>
      <p role="status">
        <strong>{toDo.length === 0 ? 'All well' : `${counted(toDo.length, 'thing')} to do`}</strong>
      </p>
      <Found all={toDo} />
      <Found all={news ?? []} />
      <details>
        <summary>{counted(passed?.length ?? 0, 'check')} passed</summary>
        <Found all={passed ?? []} />
      </details>
    </div>
  );
}

/** A finding and its next steps. */
function Found({ all }: { readonly all: readonly Finding[] }) {
  return (
    <>
      {all.map(({ state, isNews, check, message, advice = '', next }) => (
        <p>
          <Tag tone={isNews ? 'info' : tones[state]}>{check}</Tag> <Sentence of={`${message} ${advice}`} />{' '}
          {next !== undefined && <NextPage step={next} />}
        </p>
      ))}
    </>
  );
}
