import { csvText } from '../../operator/description/csv.ts';
import type { Entity } from '../../operator/description/entity.ts';
import type { Pages } from '../../operator/lists/list.ts';
import type { PageContext } from './environment.ts';

/**
 * Answers with a whole list as a file of CSV. Each page of the list is sent when it was read. If reading fails, the
 * connection is broken, so that nobody takes a part of the list for the whole.
 */
export function exportList<Of extends object>(
  c: PageContext,
  name: string,
  entity: Entity<Of>,
  pages: Pages<Of>,
): Response {
  c.header('content-type', 'text/csv; charset=utf-8');
  c.header('content-disposition', `attachment; filename="${name}.csv"`);
  return c.body(ReadableStream.from(csvText(entity, pages)).pipeThrough(new TextEncoderStream()));
}
