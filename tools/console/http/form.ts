import { OperationError } from '../../operator/errors.ts';
import type { Entered } from '../components/form.tsx';
import type { PageContext } from './environment.ts';

/** The fields of a form, each with its values. */
type Form = Entered['values'];

/** Reads the form of a request. What is no form has no token, so it is refused. */
export async function readForm(c: PageContext): Promise<Form> {
  const form = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of new URLSearchParams(await c.req.text())) {
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
