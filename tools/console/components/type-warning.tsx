import { formWarning, isForm, type TypeOrReason } from '../../operator/files/content-type.ts';
import { Problem } from './detail.tsx';
import { Text } from './text.tsx';

/** What is wrong with the type of a content, or why it could not be read. */
export function TypeWarning({ type: { contentType, reason } }: { readonly type: TypeOrReason }) {
  return (
    <>
      {isForm(contentType) && (
        <Problem>
          <p>Warning: {formWarning}</p>
        </Problem>
      )}
      {reason !== undefined && (
        <p class="muted">
          <Text of={reason} />
        </p>
      )}
    </>
  );
}
