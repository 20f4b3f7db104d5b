import { clientCreation } from '../../../operator/clients/actions.ts';
import { clientSource } from '../../../operator/clients/client.ts';
import { clients } from '../../../operator/clients/fields.ts';
import { fileCreation } from '../../../operator/files/actions.ts';
import { files } from '../../../operator/files/fields.ts';
import { fileSource } from '../../../operator/files/file.ts';
import { readPage } from '../../../operator/lists/read.ts';
import { organisationActions } from '../../../operator/organisations/actions.ts';
import { organisations } from '../../../operator/organisations/fields.ts';
import { describeOrganisation } from '../../../operator/organisations/organisation.ts';
import { ActionButtons, availableActions } from '../../components/actions.tsx';
import { EntityDetails, entityColumns } from '../../components/entity.tsx';
import { NewestRows } from '../../components/list.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { PageContext } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

const shownRows = 20;

/** One organisation: its clients and its files. */
export async function showOrganisation(c: PageContext, id: string) {
  const { deployment } = c.var.console;
  const [organisation, itsClients, itsFiles] = await Promise.all([
    describeOrganisation(deployment, id),
    readPage(deployment, clientSource({ organisation: id }), { limit: shownRows }),
    readPage(deployment, fileSource({ organisation: id }), { limit: shownRows }),
  ]);
  const of = (address: string) => withQuery(address, { organisation: id });
  const beside = (
    <>
      <a class="button" href={of('/uploads')}>
        Uploads
      </a>
      <ActionButtons actions={[clientCreation, fileCreation]} given={{ organisation: id }} />
      <ActionButtons actions={availableActions(c, organisationActions, organisation)} id={id} />
    </>
  );
  return page(
    c,
    { title: `Organisation ${id}`, beside },
    <>
      <EntityDetails entity={organisations} of={organisation} />
      <NewestRows
        title="Clients"
        columns={entityColumns(clients, 'organisation_id')}
        rows={itsClients.entries}
        all={itsClients.next && of('/clients')}
        none="There are no clients to show."
      />
      <NewestRows
        title="Files"
        columns={entityColumns(files, 'organisation_id')}
        rows={itsFiles.entries}
        all={itsFiles.next && of('/files')}
        none="There are no files to show."
      />
    </>,
  );
}
