import { reconcileAction, uploadActions } from '../../../operator/uploads/actions.ts';
import { announceAction } from '../../../operator/uploads/announce.ts';
import { describeUpload } from '../../../operator/uploads/details.ts';
import { type ShownUpload, uploads } from '../../../operator/uploads/fields.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { mayBeUnderWay } from '../../../operator/uploads/outstanding.ts';
import { ActionButtons, availableActions } from '../../components/actions.tsx';
import { Live, Notes } from '../../components/detail.tsx';
import { EntityDetails, NamesScope } from '../../components/entity.tsx';
import type { PageContext } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

/** One upload, reloaded while its bytes may still arrive. */
export async function showUpload(c: PageContext, id: string) {
  const { deployment } = c.var.console;
  const { of: upload, notes } = await describeUpload(deployment, id);
  const { upload_id, state, file_id } = upload;
  const names = await namesFor(deployment, [upload]);
  const trigger =
    state === 'issued' ? 'every 2s' : mayBeUnderWay(upload, deployment.now()) ? 'every 10s' : undefined;
  return page(
    c,
    { title: `Upload of ${names.files.get(file_id) ?? file_id}` },
    <NamesScope.Provider value={names}>
      <Live id="upload" trigger={trigger}>
        <div class="row apart">
          <p role="status">
            {describe(upload)}
            {trigger !== undefined && <span class="muted kept"> Kept up to date.</span>}
          </p>
          <div class="row">
            <ActionButtons actions={availableActions(c, uploadActions, upload)} id={upload_id} />
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

/** Describes the state of an upload. */
function describe(upload: ShownUpload): string {
  if (upload.stored_at !== undefined) {
    return 'The bytes are stored, and not recorded yet.';
  }
  switch (upload.state) {
    case 'issued':
      return 'Waiting for the bytes: the URL accepts one PUT with the whole file.';
    case 'expired':
      return 'Nothing was recorded before the URL expired.';
    case 'cancelled':
      return 'The upload URL was cancelled. It responds with 412 until it expires.';
    case 'completed':
      if (upload.deleted_at !== undefined) {
        return 'The upload was deleted with its file.';
      }
      return upload.superseded_at === undefined
        ? 'This upload is the content of the file.'
        : 'Newer content of the file replaced this content.';
  }
}
