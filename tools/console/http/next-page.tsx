import type { NextStep } from '../../operator/description/next-step.ts';
import { spoken } from '../../operator/description/noun.ts';
import { capitalised } from '../../operator/text.ts';
import { Sentence } from '../components/text.tsx';
import { actionAddress, entityAddress, withQuery } from './addresses.ts';
import type { ActionMessage } from './sessions.ts';

/** A link to the page of the operator's next step. */
export function NextPage({ step }: { readonly step: NextStep }) {
  const found = pageFor(step);
  return found === undefined ? null : <a href={found[1]}>{found[0]}</a>;
}

/** Message of an action or error, with the settings of an application as lines for a shell, and links to next steps. */
export function Message({
  message,
  next = [],
  secret,
  isError,
}: ActionMessage & { readonly isError?: true }) {
  return (
    <div class={`note ${isError ? 'bad' : 'good'}`} role={isError ? 'alert' : 'status'}>
      {message.split('\n').map((line) => (
        <p>
          <Sentence of={line} />
        </p>
      ))}
      {secret !== undefined && (
        <>
          <pre translate="no">{secret.setUp}</pre>
          <div class="row">
            <button type="button" data-copy={secret.setUp}>
              Copy all
            </button>
            <button type="button" data-copy={secret.value}>
              Copy the secret
            </button>
          </div>
        </>
      )}
      {next.map((step) => (
        <p>
          <NextPage step={step} />
        </p>
      ))}
    </div>
  );
}

function pageFor(step: NextStep): readonly [label: string, address: string] | undefined {
  if (!('noun' in step)) {
    switch (step.do) {
      case 'search':
        return ['Search for it', withQuery('/search', { q: step.text })];
      case 'check deployment':
        return ['Go to the checks', '/overview'];
      case 'start local run':
        return undefined;
    }
  }
  const { noun, verb, id, answers = {} } = step;
  if (verb === 'list') {
    return [`Go to the ${spoken(noun)}s`, withQuery(entityAddress(noun), answers)];
  }
  if (verb === 'show') {
    return [`Go to the ${spoken(noun)}`, withQuery(entityAddress(noun, id), answers)];
  }
  // The name of a flag describes its effect: `cancelUploads`.
  const about = Object.entries(answers).map(([name, value]) =>
    value === 'true' ? name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : value,
  );
  const label = capitalised([spoken(verb), ...about].join(': '));
  return [label, withQuery(actionAddress(noun, verb, id), answers)];
}
