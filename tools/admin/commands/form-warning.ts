import type { Deployment } from '../../operator/deployment/deployment.ts';
import { formWarning, isForm, readTypeOrReason } from '../../operator/files/content-type.ts';
import { note, type Output } from '../../terminal/output.ts';

/** Warns when an upload was sent as a form: what is stored is then not the file that the client meant. */
export function warnOfForm(output: Output, contentType: string | undefined): void {
  if (isForm(contentType)) {
    note(output, `warning: ${formWarning}`);
  }
}

/**
 * Adds the stored Content-Type to something that names an object, and warns if that is a form. If the type cannot be
 * read, a note says why and the rest is shown all the same: an operator may be allowed to read the tables alone.
 */
export async function withContentType<Stored extends { readonly key: string; readonly version_id: string }>(
  deployment: Deployment,
  output: Output,
  stored: Stored,
): Promise<Stored & { readonly content_type?: string }> {
  const { contentType, reason } = await readTypeOrReason(deployment, stored);
  if (reason !== undefined) {
    note(output, reason);
  }
  warnOfForm(output, contentType);
  return contentType === undefined ? stored : { ...stored, content_type: contentType };
}
