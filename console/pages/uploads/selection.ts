import { NotFoundError, UsageError } from '../../../cli/errors.ts';
import { getClient } from '../../../cli/operations/clients.ts';
import { getFile } from '../../../cli/operations/files.ts';
import { parseNewIdentifier, parseTime } from '../../../cli/operations/parse-input.ts';
import { type UploadSelection, uploadStates } from '../../../cli/operations/uploads.ts';
import type { PageContext } from '../../http/environment.ts';
import { checkForm } from '../../http/form.ts';

/** What the address of a list of uploads asks for. */
export interface UploadFilters {
  readonly state: string;
  readonly file: string;
  readonly organisation: string;
  readonly client: string;
  readonly since: string;
  readonly until: string;
}

export function readFilters(c: PageContext): UploadFilters {
  const given = (name: string) => c.req.query(name)?.trim() ?? '';
  return {
    state: given('state'),
    file: given('file'),
    organisation: given('organisation'),
    client: given('client'),
    since: given('since'),
    until: given('until'),
  };
}

/** The selection, or what is wrong with which filter. */
export type CheckedSelection =
  | { readonly ok: true; readonly selection: UploadSelection }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** Checks filters. An empty list for an unknown file or client would look as if nothing had been uploaded. */
export async function checkFilters(c: PageContext, given: UploadFilters): Promise<CheckedSelection> {
  const now = new Date(c.var.console.now());
  const optional =
    <Value>(value: string, parse: (value: string) => Value) =>
    () =>
      value === '' ? undefined : parse(value);
  const checked = checkForm({
    state: optional(given.state, parseState),
    file: optional(given.file, (value) => parseNewIdentifier(value, 'file')),
    organisation: optional(given.organisation, (value) => parseNewIdentifier(value, 'organisation')),
    client: optional(given.client, (value) => parseNewIdentifier(value, 'client')),
    since: optional(given.since, (value) => parseTime(value, '"Issued from"', now)),
    until: optional(given.until, (value) => parseTime(value, '"Issued before"', now)),
  });
  if (!checked.ok) {
    return checked;
  }
  const { state, file, organisation, client, since, until } = checked.values;
  let ofClient: string | undefined;
  const errors = {
    ...(since !== undefined &&
      until !== undefined &&
      since >= until && { until: 'Choose an end after the beginning.' }),
    ...(await errorOf('client', client, async (id) => {
      ofClient = (await getClient(c.var.console.deployment, id)).organisation_id;
    })),
    ...(await errorOf('file', file, async (id) => {
      const { organisation_id } = await getFile(c.var.console.deployment, id);
      if (organisation !== undefined && organisation !== organisation_id) {
        throw new NotFoundError('This file is of another organisation. Clear one of the two filters.');
      }
    })),
  };
  return Object.keys(errors).length > 0
    ? { ok: false, errors }
    : {
        ok: true,
        selection: {
          state,
          fileId: file,
          // A file has one organisation, so it alone selects enough. So has a client, and the index is by organisation.
          organisationId: file === undefined ? (organisation ?? ofClient) : undefined,
          clientId: client,
          since,
          until,
        },
      };
}

function parseState(value: string) {
  const state = uploadStates.find((known) => known === value);
  if (state === undefined) {
    throw new UsageError(`Choose one of the states: ${uploadStates.join(', ')}.`);
  }
  return state;
}

async function errorOf(name: string, id: string | undefined, find: (id: string) => Promise<unknown>) {
  if (id === undefined) {
    return {};
  }
  try {
    await find(id);
    return {};
  } catch (error) {
    if (error instanceof NotFoundError) {
      return { [name]: error.message };
    }
    throw error;
  }
}
