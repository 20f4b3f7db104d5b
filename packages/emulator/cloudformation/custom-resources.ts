import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { InvokeFunction } from '../lambda/invoke.ts';
import { functionType } from '../lambda/resource-types.ts';
import { withTimeout } from '../shared/concurrency.ts';
import { StartProblem } from '../shared/errors.ts';
import { writeFileAtomically } from '../shared/files.ts';
import type { StackIdentity } from '../shared/names.ts';
import type { Resource } from '../shared/resource-type.ts';
import { readStateFile } from '../shared/state-file.ts';
import {
  type CustomResourceEndpoint,
  type CustomResourceResponse,
  openCustomResourceEndpoint,
} from './custom-resource-endpoint.ts';
import { stackId } from './load-template.ts';
import { customResourceType, isCreatedByFunction } from './resource-types.ts';

interface CustomResourcesOptions {
  /** Resources in the order of the template. */
  readonly resources: readonly Resource[];
  readonly stack: StackIdentity;
  readonly invoke: InvokeFunction;
  /** File that stores the created custom resources. */
  readonly stateFile: string;
  readonly onStart: (resource: Resource) => void;
}

/**
 * Maximum time for a response of a function, in milliseconds. CloudFormation waits an hour, which is too long
 * for a person at a terminal. A function may retry for a minute until its permissions apply, and then report
 * the missing permission.
 */
const maxResponseMilliseconds = 90_000;

const createdSchema = v.record(
  v.string(),
  v.object({ physicalResourceId: v.string(), properties: v.record(v.string(), v.unknown()) }),
);

type CreatedResources = Readonly<v.InferOutput<typeof createdSchema>>;

/**
 * Creates the custom resources as CloudFormation does: sends Create for a new resource, and Update for a
 * resource whose properties have changed since an earlier start. Unchanged resources are skipped.
 *
 * @throws {StartProblem} with the reason that a function returns, or when a function does not respond in time
 */
export async function createCustomResources(options: CustomResourcesOptions): Promise<void> {
  const wanted = options.resources.filter((resource) => isCreatedByFunction(resource.type));
  const created = await readCreated(options.stateFile);
  const changed = wanted.filter((resource) => !isUpToDate(resource, created));
  if (changed.length === 0) {
    return;
  }
  const endpoint = await openCustomResourceEndpoint();
  try {
    for (const resource of changed) {
      await createResource(resource, endpoint, options);
    }
  } finally {
    await endpoint.close();
  }
}

async function createResource(
  resource: Resource,
  endpoint: CustomResourceEndpoint,
  options: CustomResourcesOptions,
): Promise<void> {
  options.onStart(resource);
  const created = await readCreated(options.stateFile);
  const requestId = randomUUID();
  const { url, result: response } = endpoint.expect(requestId);
  const event = createEvent(resource, created, { requestId, url, stack: options.stack });
  const invoked = options.invoke(functionNameOf(resource, options.resources), event).then((result) => {
    if (!result.ok) {
      throw failure(resource, `${result.error.errorType}: ${result.error.errorMessage}`);
    }
    return response;
  });
  const result = await withTimeout(maxResponseMilliseconds, Promise.race([response, invoked]));
  if (result === undefined) {
    throw failure(resource, `its function did not respond within ${maxResponseMilliseconds / 1000} seconds`);
  }
  if (result.Status === 'FAILED') {
    throw failure(resource, result.Reason ?? 'its function returned no reason');
  }
  await remember(options.stateFile, resource, result);
}

/** CloudFormation, "Custom resource request objects". */
function createEvent(
  resource: Resource,
  created: CreatedResources,
  request: { requestId: string; url: string; stack: StackIdentity },
): Record<string, unknown> {
  const earlier = created[resource.logicalId];
  return {
    RequestType: earlier === undefined ? 'Create' : 'Update',
    ServiceToken: propertiesOf(resource).ServiceToken,
    ResponseURL: request.url,
    StackId: stackId(request.stack),
    RequestId: request.requestId,
    ResourceType: resource.type,
    LogicalResourceId: resource.logicalId,
    ResourceProperties: asTexts(propertiesOf(resource)),
    ...(earlier && {
      PhysicalResourceId: earlier.physicalResourceId,
      OldResourceProperties: asTexts(earlier.properties),
    }),
  };
}

/** CloudFormation passes every scalar property as text. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(asTexts);
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asTexts(member)]));
  }
  return String(value);
}

function functionNameOf(resource: Resource, resources: readonly Resource[]): string {
  const { ServiceToken } = propertiesOf(resource);
  const target = resources.find(
    ({ type, attributes }) => type === functionType.type && attributes.Arn === ServiceToken,
  );
  if (!target) {
    throw failure(resource, `its service token ${ServiceToken} is not a function of the template`);
  }
  return target.ref;
}

function propertiesOf(resource: Resource): v.InferOutput<typeof customResourceType.properties> {
  return v.parse(customResourceType.properties, resource.properties);
}

function isUpToDate(resource: Resource, created: CreatedResources): boolean {
  return isDeepStrictEqual(created[resource.logicalId]?.properties, propertiesOf(resource));
}

async function readCreated(path: string): Promise<CreatedResources> {
  const remedy = 'Move it away: the next start creates the custom resources again.';
  return (await readStateFile(path, createdSchema, remedy)) ?? {};
}

async function remember(path: string, resource: Resource, response: CustomResourceResponse): Promise<void> {
  const created: CreatedResources = {
    ...(await readCreated(path)),
    [resource.logicalId]: {
      physicalResourceId: response.PhysicalResourceId ?? resource.ref,
      properties: propertiesOf(resource),
    },
  };
  await writeFileAtomically(path, JSON.stringify(created, null, 2));
}

function failure({ logicalId, type }: Resource, reason: string): StartProblem {
  return new StartProblem(
    `Resource ${logicalId} (${type}) could not be created: ${reason}. ` +
      'The log of its function is in the folder logs of the state folder.',
  );
}
