import type { Finding } from '../../../operator/doctor/finding.ts';
import { counted } from '../../../operator/text.ts';
import { Sentence, Tag } from '../../components/text.tsx';
import { NextPage } from '../../http/next-page.tsx';

const tones = { ok: 'good', news: 'info', warning: 'warning', failed: 'bad' } as const;

/** The health of the deployment in one line, then the next steps and the news, then the checks without findings. */
export function Health({ findings }: { readonly findings: readonly Finding[] }) {
  const of = (state: Finding['state']) => findings.filter((finding) => finding.state === state);
  const toDo = [...of('failed'), ...of('warning')];
  return (
    <div class={`note ${tones[toDo[0]?.state ?? 'ok']}`}>
      <p role="status">
        <strong>{toDo.length === 0 ? 'All well' : `${counted(toDo.length, 'thing')} to do`}</strong>
      </p>
      <Found all={[...toDo, ...of('news')]} />
      <details>
        <summary>{counted(of('ok').length, 'check')} passed</summary>
        <Found all={of('ok')} />
      </details>
    </div>
  );
}

/** A finding and its next steps. */
function Found({ all }: { readonly all: readonly Finding[] }) {
  return (
    <>
      {all.map(({ state, check, message, advice = '', next }) => (
        <p>
          <Tag tone={tones[state]}>{check}</Tag> <Sentence of={`${message} ${advice}`} />{' '}
          {next !== undefined && <NextPage step={next} />}
        </p>
      ))}
    </>
  );
}
