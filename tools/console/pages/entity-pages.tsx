import { clientActions, clientCreation } from '../../operator/clients/actions.ts';
import { statusOf } from '../../operator/clients/client.ts';
import { describeClient } from '../../operator/clients/details.ts';
import { clients } from '../../operator/clients/fields.ts';
import { fileActions, fileCreation } from '../../operator/files/actions.ts';
import { describeFile } from '../../operator/files/details.ts';
import { files } from '../../operator/files/fields.ts';
import { organisationActions } from '../../operator/organisations/actions.ts';
import { organisations } from '../../operator/organisations/fields.ts';
import { describeOrganisation } from '../../operator/organisations/organisation.ts';
import { capitalised } from '../../operator/text.ts';
import { announceAction, reconcileAction, uploadActions } from '../../operator/uploads/actions.ts';
import { describeUpload } from '../../operator/uploads/details.ts';
import { type ShownUpload, uploads } from '../../operator/uploads/fields.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { isOutstanding } from '../../operator/uploads/outstanding.ts';
import { wordOf } from '../../operator/uploads/upload.ts';
import { ActionButtons } from '../components/actions.tsx';
import { LatestUploads, Live, Notes } from '../components/detail.tsx';
import { EntityDetails, NamesScope } from '../components/entity.tsx';
import { actionAddress, path, withQuery } from '../http/addresses.ts';
import type { PageContext } from '../http/environment.ts';
import { page } from '../http/respond.tsx';

/** One client, and its uploads. */
export async function showClient(c: PageContext, id: string) {
  const { of: client, notes } = await describeClient(c.var.console.deployment, id);
  const { client_id, secrets } = client;
  // Each secret gets its own link.
  const buttons = clientActions.filter(({ verb }) => verb !== 'remove-secret');
  const removals = secrets.map(({ secret_id: secretId }) => (
    <a
      class="button risky"
      href={withQuery(actionAddress('client', 'remove-secret', client_id), { secretId })}
    >
      {secretId}
    </a>
  ));
  const beside = <ActionButtons actions={buttons} of={client} />;
  return page(
    c,
    { title: client.name, beside },
    <>
      <Notes of={notes} />
      <EntityDetails entity={clients} of={client} />
      {statusOf(client) === 'active' && (
        <p>
          <a href={actionAddress('client', 'guide', client_id)}>Guide for the developers</a>
        </p>
      )}
      {secrets.length > 1 && <div class="row">Remove a secret: {removals}</div>}
      <LatestUploads of={{ client: client_id }} />
    </>,
  );
}

/** One file: its content, its actions, and its uploads. */
export async function showFile(c: PageContext, id: string) {
  const { of: file, notes } = await describeFile(c.var.console.deployment, id);
  const { file_id, content, deleted_at } = file;
  const beside = (
    <>
      {content && deleted_at === undefined && (
        <a class="button" href={path('files', file_id, 'content')} download>
          Download
        </a>
      )}
      <ActionButtons actions={fileActions} of={file} />
    </>
  );
  return page(
    c,
    { title: file.name, beside },
    <>
      <Live id="file" trigger="every 3s">
        <Notes of={notes} />
        <EntityDetails entity={files} of={file} />
      </Live>
      <LatestUploads of={{ file: file_id }} />
    </>,
  );
}

/** One organisation, with links to its clients, files and uploads. */
export async function showOrganisation(c: PageContext, id: string) {
  const organisation = await describeOrganisation(c.var.console.deployment, id);
  const beside = (
    <>
      {['clients', 'files', 'uploads'].map((plural) => (
        <a class="button" href={withQuery(path(plural), { organisation: id })}>
          {capitalised(plural)}
        </a>
      ))}
      <ActionButtons actions={[clientCreation, fileCreation]} given={{ organisation: id }} />
      <ActionButtons actions={organisationActions} of={organisation} />
    </>
  );
  return page(
    c,
    { title: `Organisation ${id}`, beside },
    <EntityDetails entity={organisations} of={organisation} />,
  );
}

/** One upload, reloaded while its bytes may still arrive. */
export async function showUpload(c: PageContext, id: string) {
  const { deployment } = c.var.console;
  const { of: upload, notes } = await describeUpload(deployment, id);
  const { upload_id, state, file_id } = upload;
  const names = await namesFor(deployment, [upload]);
  const trigger =
    state === 'issued' ? 'every 2s' : isOutstanding(upload, deployment.now()) ? 'every 10s' : undefined;
  return page(
    c,
    { title: `Upload of ${names.get(file_id) ?? file_id}` },
    <NamesScope.Provider value={names}>
      <Live id="upload" trigger={trigger}>
        <div class="row apart">
          <p role="status">
            The upload is {wordOf(upload)}.
            {trigger !== undefined && <span class="muted kept"> Kept up to date.</span>}
          </p>
          <div class="row">
            <ActionButtons actions={uploadActions} of={upload} />
            <ActionButtons actions={mendingActions(upload)} given={{ upload: upload_id }} />
          </div>
        </div>
        <Notes of={notes} />
        <EntityDetails entity={uploads} of={upload} />
      </Live>
    </NamesScope.Provider>,
  );
}

/** Returns the actions that record bytes or send an event again. A waiting upload has neither. */
function mendingActions({ stored_at, state }: ShownUpload) {
  if (stored_at !== undefined) {
    return [reconcileAction];
  }
  return state === 'issued' ? [] : [announceAction];
}
