import { OperationError } from '../../operator/errors.ts';
import type { Entered } from '../components/form.tsx';
import { type PageContext, Refusal } from './environment.ts';

/** The fields of a form, each with its values. */
type Form = Entered['values'];

/** More than the longest form of the console needs. */
const maximumFormBytes = 64 * 1024;

/** Far more than any form has. */
const maximumFields = 100;

const formType = 'application/x-www-form-urlencoded';

/**
 * Reads the form of a request.
 *
 * @throws {Refusal} when it is none, or too long
 */
export async function readForm(c: PageContext): Promise<Form> {
  if (c.req.header('content-type')?.split(';')[0]?.trim() !== formType) {
    throw new Refusal(
      400,
      'Not a form',
      'The request does not hold a form of the console. Nothing was changed.',
    );
  }
  if (Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY) > maximumFormBytes) {
    throw new Refusal(400, 'Too long', `A form may have ${maximumFormBytes} bytes. Nothing was changed.`);
  }
  const form = Object.create(null) as Record<string, string[]>;
  const fields = [...new URLSearchParams(await c.req.text())];
  if (fields.length > maximumFields) {
    throw new Refusal(
      400,
      'Too many fields',
      `A form may have ${maximumFields} fields. Nothing was changed.`,
    );
  }
  for (const [name, value] of fields) {
    form[name] ??= [];
    form[name].push(value);
  }
  return form;
}

/** What came of the check of a form: its values, or what was entered and what is wrong with it. */
export type Checked<Values> =
  | { readonly ok: true; readonly values: Values }
  | { readonly ok: false; readonly entered: Entered };

/**
 * Parses each field, so that all errors are shown at the same time.
 *
 * @param parsers one for each field; what it throws as UsageError is the error of the field
 */
export function checkForm<Values extends object>(
  form: Form,
  parsers: { readonly [Name in keyof Values]: (text: string, all: readonly string[]) => Values[Name] },
): Checked<Values> {
  const errors: Record<string, string> = {};
  const values: Partial<Values> = {};
  for (const name of Object.keys(parsers) as (keyof Values & string)[]) {
    const all = form[name] ?? [];
    try {
      values[name] = parsers[name](all[0]?.trim() ?? '', all);
    } catch (error) {
      if (!(error instanceof OperationError && error.kind === 'invalid')) {
        throw error;
      }
      errors[name] = error.message;
    }
  }
  return Object.keys(errors).length > 0
    ? { ok: false, entered: { values: form, errors } }
    : { ok: true, values: values as Values };
}
