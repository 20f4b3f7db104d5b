import { scopeDescriptions, scopes } from '../../../../contract/scopes.ts';
import type { Client } from '../../../operator/clients/client.ts';
import { Checks } from '../../components/form.tsx';
import { Tag } from '../../components/text.tsx';

/** Whether a client gets tokens. */
export function ClientStatus({ client }: { readonly client: Client }) {
  if (client.deleted_at !== undefined) {
    return <Tag>deleted</Tag>;
  }
  return <Tag tone={client.status === 'active' ? 'good' : 'bad'}>{client.status}</Tag>;
}

/** The choice of scopes. */
export function ScopeChecks() {
  return (
    <Checks
      name="scope"
      label="Scopes"
      help="What the client may do. New tokens get these scopes; tokens already issued keep theirs."
      options={scopes.map((scope) => ({ value: scope, label: scope, about: scopeDescriptions[scope] }))}
    />
  );
}
