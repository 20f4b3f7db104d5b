import type { ApiDescription, ApiOperation } from '../../../cli/operations/api/api-description.ts';
import { needsOf } from '../../../cli/operations/api/api-description.ts';
import { uploadIdOf } from '../../../cli/upload/upload-url.ts';
import { Text } from '../../components/text.tsx';
import type { PageContext } from '../../http/environment.ts';
import { path } from '../../http/respond.tsx';
import { liveToken, memoryOf } from './memory.ts';

interface Props {
  readonly c: PageContext;
  readonly description: ApiDescription;
  readonly operation: ApiOperation;
}

/** Where an answer leads: a token to what it is for, and an upload URL to its upload. */
export function Next({ c, description, operation }: Props) {
  const token = liveToken(c);
  if (token === undefined) {
    return null;
  }
  const needs = needsOf(operation, description.document);
  if (needs.client) {
    return <ForToken scopes={token.scope.split(' ')} description={description} />;
  }
  const { upload } = memoryOf(c);
  return upload !== undefined && needs.scopes?.includes('sync:create') ? (
    <ForUpload url={upload.url} />
  ) : null;
}

function ForToken({
  scopes,
  description: { document, operations },
}: {
  readonly scopes: readonly string[];
  readonly description: ApiDescription;
}) {
  const allowed = operations.filter((one) => {
    const needed = needsOf(one, document).scopes;
    return needed?.every((scope) => scopes.includes(scope));
  });
  return (
    <div class="buttons next">
      {allowed.map(({ operationId, summary }) => (
        <a class="button" href={path('try', operationId)}>
          Next: <Text of={summary || operationId} />
        </a>
      ))}
    </div>
  );
}

function ForUpload({ url }: { readonly url: URL }) {
  const id = uploadIdOf(url);
  return (
    <div class="buttons next">
      <a class="button" href="/try/upload">
        Send a file to this upload URL
      </a>
      {id !== undefined && (
        <a class="button" href={path('uploads', id)}>
          See the upload
        </a>
      )}
    </div>
  );
}
