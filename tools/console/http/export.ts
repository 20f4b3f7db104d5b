import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import { describeDamage } from '../../operator/deployment/items.ts';
import { csvText } from '../../operator/description/csv.ts';
import type { Entity } from '../../operator/description/entity.ts';
import { messageOf } from '../../operator/errors.ts';
import type { Pages } from '../../operator/lists/list.ts';
import { printable } from '../../operator/text.ts';
import type { PageContext } from './environment.ts';

/**
 * Responds with a whole list as CSV. Each page of the list is sent after it is read. If a later read fails,
 * the connection breaks, which marks the list as incomplete, and the terminal shows the reason. If damaged items
 * were left out, the last lines contain a notice that is not CSV.
 */
export async function exportList<Of extends object>(
  c: PageContext,
  name: string,
  entity: Entity<Of>,
  pages: Pages<Of>,
): Promise<Response> {
  const texts = csvText(entity, pages);
  // An error of the first read becomes a page.
  const first = await texts.next();
  c.header('content-type', 'text/csv; charset=utf-8');
  c.header('content-disposition', `attachment; filename="${name}.csv"`);
  const { deployment, env } = c.var.console;
  const text = async function* () {
    try {
      yield first.value;
      yield* texts;
      yield describeDamage(deployment.damage);
    } catch (error) {
      // The server prints this value: an error with its stack, a string unchanged.
      throw printable(`${name}.csv is incomplete: ${messageOf(explainAwsError(error, env))}`);
    }
  };
  return c.body(ReadableStream.from(text()).pipeThrough(new TextEncoderStream()));
}
