import { note, type Output, showOne } from '../output.ts';
import type { ClientWithSecret } from './clients.ts';
import { clientDetails } from './views.ts';

/** Shows a client with the secret that was just made, and says that this was the only time. */
export function showClientWithSecret(output: Output, client: ClientWithSecret): void {
  showOne(output, client, (shown) => [...clientDetails(shown), ['Client secret', shown.client_secret]]);
  if (!output.json)
    note(output, 'Keep the client secret now: it is shown this once, and only its digest is stored.');
}
