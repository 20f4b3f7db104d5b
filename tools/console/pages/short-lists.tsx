import { organisations as described } from '../../operator/organisations/fields.ts';
import { readOrganisations } from '../../operator/organisations/organisation.ts';
import { allKeysActions, signingKeyActions } from '../../operator/signing-keys/actions.ts';
import { signingKeys } from '../../operator/signing-keys/fields.ts';
import { listSigningKeys, type SigningKey } from '../../operator/signing-keys/signing-key.ts';
import { ActionButtons, availableActions, FirstSteps } from '../components/actions.tsx';
import { entityColumns } from '../components/entity.tsx';
import { type Column, List } from '../components/list.tsx';
import { withQuery } from '../http/addresses.ts';
import type { PageContext } from '../http/environment.ts';
import { page } from '../http/respond.tsx';

const rowsOnPage = 50;

/** All organisations, with the numbers of their clients and files. */
export async function listOrganisations(c: PageContext) {
  const after = c.req.query('after') || undefined;
  const { deployment } = c.var.console;
  const { entries, next } = await readOrganisations(deployment, { after, limit: rowsOnPage });
  return page(
    c,
    { title: 'Organisations' },
    <>
      {entries.length === 0 && next === undefined ? (
        <FirstSteps about="There are no organisations to show. A new client or file creates its organisation." />
      ) : (
        <List label="Organisations" columns={entityColumns(described)} rows={entries} />
      )}
      {next !== undefined && (
        <p>
          <a class="button" rel="next" href={withQuery('/organisations', { after: next })}>
            Next
          </a>
        </p>
      )}
    </>,
  );
}

/** Returns columns for the fields and the actions of each key. */
const columnsFor = (c: PageContext): readonly Column<SigningKey>[] => [
  ...entityColumns(signingKeys),
  {
    heading: 'Actions',
    cell: (key) => <ActionButtons actions={availableActions(c, signingKeyActions, key)} id={key.kid} />,
  },
];

/** All keys. The checks of the overview show the next rotation. */
export async function listKeys(c: PageContext) {
  const keys = await listSigningKeys(c.var.console.deployment);
  const beside = <ActionButtons actions={allKeysActions.slice(0, 1)} />;
  return page(
    c,
    { title: 'Signing keys', beside },
    <>
      <List label="Published signing keys" columns={columnsFor(c)} rows={keys} />
      <p class="row apart">
        <a href="/overview">Next rotation: see the checks</a>
        <ActionButtons actions={allKeysActions.slice(1)} />
      </p>
    </>,
  );
}
