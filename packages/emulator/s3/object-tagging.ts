import type { Answer } from '../protocols/answer.ts';
import { readBody } from '../protocols/request.ts';
import { xmlDocument } from '../protocols/xml.ts';
import { createByteBudget } from '../shared/byte-budget.ts';
import { AwsError } from '../shared/errors.ts';
import { requireAccess, requireVersion, type S3Request, versionedAction } from './request.ts';
import { checkTags } from './tags.ts';

/** Largest tagging document that is read. Ten tags take far less. */
const largestDocumentBytes = 64 * 1024;

/** GetObjectTagging. */
export async function getObjectTagging(request: S3Request): Promise<Answer> {
  requireAccess(request, versionedAction(request, 'GetObjectTagging'));
  const version = await requireVersion(request);
  const tags = Object.entries(version.tags).map(([Key, Value]) => ({ Key, Value }));
  const body = xmlDocument('Tagging', { TagSet: { Tag: tags } }, 'http://s3.amazonaws.com/doc/2006-03-01/');
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', 'x-amz-version-id': version.versionId },
    body,
  };
}

/** PutObjectTagging. */
export async function putObjectTagging(request: S3Request): Promise<Answer> {
  requireAccess(request, versionedAction(request, 'PutObjectTagging'));
  const version = await requireVersion(request);
  // The caller is known, and the document is small.
  const budget = createByteBudget(largestDocumentBytes);
  const { body } = await readBody(request.received, { most: largestDocumentBytes, budget });
  const tags = await parseTagging(body);
  await request.bucket.store.setTags(version, tags);
  return { status: 200, headers: { 'x-amz-version-id': version.versionId } };
}

async function parseTagging(body: Buffer): Promise<Record<string, string>> {
  // Loaded when it is needed: its many files would slow down every start.
  const { XMLParser } = await import('fast-xml-parser');
  const parser = new XMLParser({
    parseTagValue: false,
    ignoreAttributes: true,
    processEntities: true,
    isArray: (name) => name === 'Tag',
  });
  const document: unknown = parser.parse(body.toString('utf8'));
  const tags = readPath(document, ['Tagging', 'TagSet', 'Tag']) ?? [];
  if (!Array.isArray(tags)) {
    throw malformed();
  }
  const entries = tags.map((tag: unknown) => {
    const [key, value] = [readPath(tag, ['Key']), readPath(tag, ['Value'])];
    if (typeof key !== 'string' || typeof value !== 'string') {
      throw malformed();
    }
    return [key, value] as const;
  });
  const repeated = entries.find(([key], i) => entries.findIndex(([other]) => other === key) !== i)?.[0];
  if (repeated !== undefined) {
    const text = 'Cannot provide multiple Tags with the same key';
    throw new AwsError(400, 'InvalidTag', text, { TagKey: repeated });
  }
  return { ...checkTags(Object.fromEntries(entries)) };
}

function readPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (current, name) =>
      typeof current === 'object' && current !== null
        ? (current as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}

function malformed(): AwsError {
  const text = 'The XML you provided was not well-formed or did not validate against our published schema';
  return new AwsError(400, 'MalformedXML', text);
}
