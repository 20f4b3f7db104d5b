import { CommandError, UsageError } from '../../cli/errors.ts';
import { type PageContext, Refusal } from './environment.ts';

/** The fields of a form, each with its values. */
export type Form = Readonly<Record<string, readonly string[] | undefined>>;

/** More than the longest form of the console needs. */
const maximumFormBytes = 64 * 1024;

/** The largest file in a form. The console holds it in memory. */
export const maximumFileBytes = 1024 * 1024;

const plainForm = 'application/x-www-form-urlencoded';
const formWithFile = 'multipart/form-data';

/**
 * Reads the form of a request. Files in it are left out.
 *
 * @throws {Refusal} when it is none, or too long
 */
export async function readForm(c: PageContext): Promise<Form> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim();
  if (type !== plainForm && type !== formWithFile) {
    throw new Refusal(
      400,
      'Not a form',
      'The request does not hold a form of the console. Nothing was changed.',
    );
  }
  const maximum = type === plainForm ? maximumFormBytes : maximumFileBytes + maximumFormBytes;
  if (Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY) > maximum) {
    throw new Refusal(400, 'Too long', `A form may have ${maximum} bytes. Nothing was changed.`);
  }
  const form = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of await entriesOf(c, type)) {
    if (typeof value === 'string') {
      form[name] = [...(form[name] ?? []), value];
    }
  }
  return form;
}

/** The file that was chosen in a form, if any. */
export async function readFormFile(c: PageContext, name: string): Promise<File | undefined> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim();
  const entries = type === formWithFile ? await entriesOf(c, type) : [];
  const [, file] = [...entries].find(([of, value]) => of === name && value instanceof File) ?? [];
  // A browser sends an empty file without a name where none was chosen.
  return file instanceof File && (file.size > 0 || file.name !== '') ? file : undefined;
}

async function entriesOf(c: PageContext, type: string): Promise<Iterable<[string, string | File]>> {
  if (type === plainForm) {
    return new URLSearchParams(await c.req.text());
  }
  try {
    return await c.req.formData();
  } catch {
    throw new Refusal(400, 'Not a form', 'The form cannot be read. Nothing was changed.');
  }
}

/** What a form was checked for: its values, or what is wrong with each field. */
export type Checked<Values> =
  | { readonly ok: true; readonly values: Values }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/**
 * Parses each field, so that all errors are shown at the same time.
 *
 * @param parsers one for each field; what it throws as UsageError is the error of the field
 */
export function checkForm<Values extends object>(
  parsers: { readonly [Name in keyof Values]: () => Values[Name] },
): Checked<Values> {
  const errors: Record<string, string> = {};
  const values: Partial<Values> = {};
  for (const name of Object.keys(parsers) as (keyof Values & string)[]) {
    try {
      values[name] = parsers[name]();
    } catch (error) {
      if (!(error instanceof UsageError)) {
        throw error;
      }
      errors[name] = error.message;
    }
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, values: values as Values };
}

/**
 * What an operation says when it refuses what was entered, as the error of a field.
 *
 * @throws the error itself, unless it is a {@link CommandError}
 */
export function messageOfCommandError(error: unknown): string {
  if (error instanceof CommandError) {
    return error.message;
  }
  throw error;
}
