import type { NextStep } from '../../operator/errors.ts';
import { path, withQuery } from './respond.tsx';

/** A link to the page where an operator does what helps next. */
export function NextPage({ step }: { readonly step: NextStep }) {
  if (step.do === 'replay uploads') {
    return (
      <span>
        The command <code>upload replay</code> does it.
      </span>
    );
  }
  const found = pageFor(step);
  return found === undefined ? null : <a href={found[1]}>{found[0]}</a>;
}

function pageFor(step: NextStep): readonly [label: string, address: string] | undefined {
  switch (step.do) {
    case 'show client':
    case 'add secret':
    case 'restore client':
      return ['Go to the client', path('clients', step.clientId)];
    case 'remove secret':
      return [
        `Remove the secret ${step.secretId}`,
        path('clients', step.clientId, 'secrets', step.secretId, 'remove'),
      ];
    case 'revoke client':
      return ['Revoke the client', path('clients', step.clientId, 'revoke')];
    case 'show upload':
      return ['Go to the upload', path('uploads', step.uploadId)];
    case 'search':
      return ['Search for it', withQuery('/search', { q: step.text })];
    case 'reconcile uploads':
      return ['Go to the uploads', '/uploads'];
    case 'list signing keys':
    case 'rotate signing key':
      return ['Go to the signing keys', '/signing-keys'];
    case 'check deployment':
      return ['Go to the checks', '/overview'];
    case 'replay uploads':
    case 'start local run':
      return undefined;
  }
}
