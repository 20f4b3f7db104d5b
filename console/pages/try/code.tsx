import { CopyButton, plainText, Text } from '../../components/text.tsx';

/** Text of several lines as it is. Odd characters are shown by their code. */
export function Code({
  text,
  label,
  copy,
}: {
  readonly text: string;
  readonly label: string;
  readonly copy?: boolean;
}) {
  const shown = text.split('\n').map(plainText).join('\n');
  return (
    <figure class="code" aria-label={label}>
      <pre translate="no">
        <code>{shown}</code>
      </pre>
      {copy && <CopyButton text={text} what={label} isSmall />}
    </figure>
  );
}

/** A description of the document: paragraphs, `code` and **strong** of its Markdown, and nothing else of it. */
export function Prose({ text }: { readonly text: string | undefined }) {
  return (
    <>
      {(text ?? '').split(/\n{2,}/).map((paragraph) => (
        <p>{paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(toElement)}</p>
      ))}
    </>
  );
}

function toElement(part: string) {
  if (part.startsWith('`') && part.endsWith('`') && part.length > 2) {
    return <code>{plainText(part.slice(1, -1))}</code>;
  }
  if (part.startsWith('**') && part.endsWith('**') && part.length > 4) {
    return (
      <strong>
        <Text of={part.slice(2, -2)} />
      </strong>
    );
  }
  return <Text of={part.replaceAll('\n', ' ')} />;
}
