import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import {
  attributeNames,
  type Item,
  listAttribute,
  mapAttribute,
  numberAttribute,
  parseItem,
  projection,
  textAttribute,
} from '../shared/item.ts';
import type { Completion, Content, StoredFile, StoredUpload, UploadStore } from './upload-store.ts';

const uploadSchema = v.object({
  upload_id: textAttribute,
  file_id: textAttribute,
  key: textAttribute,
  state: v.pipe(textAttribute, v.picklist(['issued', 'completed', 'cancelled'])),
  size: v.optional(numberAttribute),
  etag: v.optional(textAttribute),
  version_id: v.optional(textAttribute),
  completed_at: v.optional(textAttribute),
  superseded_at: v.optional(textAttribute),
});

const fileSchema = v.object({
  content: v.optional(mapAttribute({ upload_id: textAttribute })),
  superseded: v.optional(listAttribute(textAttribute)),
});

/** The tables, as recording uses them. Every read is consistent. */
export function createUploadStore(
  dynamodb: DynamoDBClient,
  tables: { readonly files: string; readonly uploads: string },
): UploadStore {
  const update = (input: UpdateItemCommandInput) => updateIf(dynamodb, input);
  const updateUpload = (uploadId: string, input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) =>
    update({ TableName: tables.uploads, Key: { upload_id: { S: uploadId } }, ...input });
  const updateFile = (fileId: string, input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) =>
    update({ TableName: tables.files, Key: { file_id: { S: fileId } }, ...input });

  return {
    readUpload: async (uploadId) => {
      const names = Object.keys(uploadSchema.entries);
      const { Item: item } = await dynamodb.send(
        new GetItemCommand({
          TableName: tables.uploads,
          Key: { upload_id: { S: uploadId } },
          ConsistentRead: true,
          ...projection(...names),
        }),
      );
      return item === undefined ? undefined : toUpload(item);
    },

    completeUpload: (uploadId, { versionId, size, etag, completedAt }) =>
      updateUpload(uploadId, {
        UpdateExpression:
          'SET #state = :completed, #size = :size, #etag = :etag, #version_id = :version, #completed_at = :at',
        ConditionExpression: '#state = :issued',
        ExpressionAttributeNames: attributeNames('state', 'size', 'etag', 'version_id', 'completed_at'),
        ExpressionAttributeValues: {
          ':issued': { S: 'issued' },
          ':completed': { S: 'completed' },
          ':size': { N: String(size) },
          ':etag': { S: etag },
          ':version': { S: versionId },
          ':at': { S: completedAt },
        },
      }),

    cancelUpload: (uploadId, cancelledAt) =>
      updateUpload(uploadId, {
        UpdateExpression: 'SET #state = :cancelled, #cancelled_at = :at',
        ConditionExpression: '#state = :issued',
        ExpressionAttributeNames: attributeNames('state', 'cancelled_at'),
        ExpressionAttributeValues: {
          ':issued': { S: 'issued' },
          ':cancelled': { S: 'cancelled' },
          ':at': { S: cancelledAt },
        },
      }),

    markSuperseded: (uploadId, supersededAt) =>
      updateUpload(uploadId, {
        UpdateExpression: 'SET #superseded_at = :at',
        ConditionExpression: 'attribute_exists(#upload_id) AND attribute_not_exists(#superseded_at)',
        ExpressionAttributeNames: attributeNames('upload_id', 'superseded_at'),
        ExpressionAttributeValues: { ':at': { S: supersededAt } },
      }),

    readFile: async (fileId) => {
      const { Item: item } = await dynamodb.send(
        new GetItemCommand({
          TableName: tables.files,
          Key: { file_id: { S: fileId } },
          ConsistentRead: true,
          ...projection('content', 'superseded'),
        }),
      );
      return item === undefined ? undefined : toFile(fileId, item);
    },

    replaceContent: ({ fileId, contentUploadId }, content) =>
      updateFile(
        fileId,
        contentUploadId === undefined ? firstContent(content) : laterContent(contentUploadId, content),
      ),

    shiftSuperseded: (fileId, uploadId) =>
      updateFile(fileId, {
        UpdateExpression: 'REMOVE #superseded[0]',
        ConditionExpression: '#superseded[0] = :id',
        ExpressionAttributeNames: attributeNames('superseded'),
        ExpressionAttributeValues: { ':id': { S: uploadId } },
      }),
  };
}

/** The condition also makes sure that the file exists: an update would make it otherwise. */
function firstContent(content: Content) {
  return {
    UpdateExpression: 'SET #content = :content',
    ConditionExpression: 'attribute_exists(#file_id) AND attribute_not_exists(#content)',
    ExpressionAttributeNames: attributeNames('file_id', 'content'),
    ExpressionAttributeValues: { ':content': contentAttribute(content) },
  };
}

function laterContent(replacedUploadId: string, content: Content) {
  return {
    UpdateExpression:
      'SET #content = :content, #superseded = list_append(if_not_exists(#superseded, :none), :replaced)',
    ConditionExpression: '#content.#upload_id = :id',
    ExpressionAttributeNames: attributeNames('content', 'superseded', 'upload_id'),
    ExpressionAttributeValues: {
      ':content': contentAttribute(content),
      ':none': { L: [] },
      ':replaced': { L: [{ S: replacedUploadId }] },
      ':id': { S: replacedUploadId },
    },
  };
}

function contentAttribute({ uploadId, key, versionId, size, etag, completedAt }: Content) {
  return {
    M: {
      upload_id: { S: uploadId },
      key: { S: key },
      version_id: { S: versionId },
      size: { N: String(size) },
      etag: { S: etag },
      completed_at: { S: completedAt },
    },
  };
}

function toUpload(item: Item): StoredUpload {
  const upload = parseItem('upload', uploadSchema, item);
  const completion = toCompletion(upload);
  return {
    uploadId: upload.upload_id,
    fileId: upload.file_id,
    key: upload.key,
    state: upload.state,
    ...(completion === undefined ? {} : { completion }),
    superseded: upload.superseded_at !== undefined,
  };
}

function toCompletion(upload: v.InferOutput<typeof uploadSchema>): Completion | undefined {
  const { state, size, etag, version_id, completed_at } = upload;
  const complete =
    state === 'completed' && size !== undefined && etag !== undefined && version_id && completed_at;
  return complete ? { size, etag, versionId: version_id, completedAt: completed_at } : undefined;
}

function toFile(fileId: string, item: Item): StoredFile {
  const { content, superseded = [] } = parseItem('file', fileSchema, item);
  return { fileId, ...(content === undefined ? {} : { contentUploadId: content.upload_id }), superseded };
}

/** @returns whether the condition held */
async function updateIf(dynamodb: DynamoDBClient, input: UpdateItemCommandInput): Promise<boolean> {
  try {
    await dynamodb.send(new UpdateItemCommand(input));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return false;
    }
    throw error;
  }
}
