import { plainText } from '../../components/text.tsx';
import { path } from '../../http/respond.tsx';

/**
 * A link to what an id names.
 *
 * @param place tells links of the same page apart, so that one keeps the focus when a live part is replaced
 */
export function IdLink({
  to,
  id,
  place,
}: {
  readonly to: 'clients' | 'files' | 'uploads' | 'organisations';
  readonly id: string;
  readonly place?: string;
}) {
  return (
    <a class="id" id={place === undefined ? undefined : `${place}-${to}`} href={path(to, id)}>
      <code>{plainText(id)}</code>
    </a>
  );
}
