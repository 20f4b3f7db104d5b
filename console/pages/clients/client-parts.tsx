import type { Client } from '../../../cli/operations/clients.ts';
import { type Scope, scopeDescriptions, scopes } from '../../../contract/scopes.ts';
import { Checks } from '../../components/form.tsx';
import { Badge } from '../../components/text.tsx';

/** Whether a client gets tokens. */
export function ClientStatus({ client }: { readonly client: Client }) {
  if (client.deleted_at !== undefined) {
    return <Badge tone="bad">deleted</Badge>;
  }
  return <Badge tone={client.status === 'active' ? 'good' : 'warning'}>{client.status}</Badge>;
}

/** The choice of scopes. */
export function ScopeChecks({
  values,
  error,
}: {
  readonly values: readonly string[];
  readonly error?: string | undefined;
}) {
  return (
    <Checks
      name="scope"
      label="Scopes"
      help="What the client may do. New tokens get these scopes; tokens already issued keep theirs."
      error={error}
      values={values}
      options={scopes.map((scope: Scope) => ({
        value: scope,
        label: scope,
        about: scopeDescriptions[scope],
      }))}
    />
  );
}
