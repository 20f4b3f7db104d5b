import * as v from 'valibot';
import { StartProblem } from '../shared/errors.ts';
import { digestOf, physicalName, type ReadProperty, type StackIdentity } from '../shared/names.ts';
import { defineResourceType, ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import { functionArn, functionNameOf, functionType } from './resource-types.ts';

/** What invocations name the code and configuration of the function by that have no number. */
export const latestVersion = '$LATEST';

/**
 * A version. AWS counts the versions of a function from 1. Here the number is made of the logical ID, so that it is the
 * same at every start, and another one for another version. All versions have the function's code: a template holds only
 * the newest.
 */
export const versionType = defineResourceType(
  'AWS::Lambda::Version',
  v.strictObject({
    FunctionName: v.string(),
    Description: v.optional(v.string()),
  }),
  {
    ref: versionArn,
    attributes: { Version: versionNumber, FunctionArn: versionArn },
  },
);

const weightSchema = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** A name for a version, or for two of which one gets a share of the invocations (Lambda API, AliasRoutingConfiguration). */
export const aliasType = defineResourceType(
  'AWS::Lambda::Alias',
  v.strictObject({
    FunctionName: v.string(),
    FunctionVersion: v.string(),
    Name: v.pipe(v.string(), v.regex(/^(?!\d+$)[\w-]{1,128}$/, 'not a name of an alias')),
    Description: v.optional(v.string()),
    RoutingConfig: v.optional(
      v.strictObject({
        AdditionalVersionWeights: v.array(
          v.strictObject({ FunctionVersion: v.string(), FunctionWeight: weightSchema }),
        ),
      }),
    ),
  }),
  {
    ref: aliasArn,
    attributes: { AliasArn: aliasArn },
    updatePolicy: v.strictObject({
      CodeDeployLambdaAliasUpdate: v.strictObject({
        ApplicationName: v.string(),
        DeploymentGroupName: v.string(),
      }),
    }),
  },
);

function versionNumber(logicalId: string, stack: StackIdentity): string {
  const digits = 6;
  return String(1 + Number.parseInt(digestOf(physicalName(logicalId, stack), digits), 16));
}

function versionArn(logicalId: string, stack: StackIdentity, property: ReadProperty): string {
  return `${qualifiedArn(property('FunctionName'), stack)}:${versionNumber(logicalId, stack)}`;
}

function aliasArn(_logicalId: string, stack: StackIdentity, property: ReadProperty): string {
  return `${qualifiedArn(property('FunctionName'), stack)}:${property('Name')}`;
}

function qualifiedArn(functionName: string, stack: StackIdentity): string {
  return functionArn(functionNameOf(functionName), stack);
}

/** The versions that a qualifier of a function stands for, with the share of the invocations that each gets. */
export type Shares = readonly { readonly version: string; readonly share: number }[];

/** The versions of a function, and what its qualifiers stand for: `$LATEST`, numbers of versions, names of aliases. */
export interface FunctionVersions {
  readonly versions: readonly string[];
  readonly qualifiers: ReadonlyMap<string, Shares>;
}

/**
 * Reads the versions and aliases of a function.
 *
 * @throws {StartProblem} naming the resource, for anything that Lambda would refuse
 */
export function readVersions(functionName: string, resources: readonly Resource[]): FunctionVersions {
  const own = ofType(resources, versionType).filter(
    ({ properties }) => functionNameOf(properties.FunctionName) === functionName,
  );
  const numbers = own.map(({ attributes }) => attributes.Version ?? '');
  if (new Set(numbers).size < numbers.length) {
    throw new StartProblem(`Two versions of ${functionName} have the same number here: rename one of them.`);
  }
  const versions = [latestVersion, ...numbers];
  const aliases = ofType(resources, aliasType)
    .filter(({ properties }) => functionNameOf(properties.FunctionName) === functionName)
    .map((alias) => [alias.properties.Name, sharesOf(alias, versions)] as const);
  const named = versions.map((version) => [version, [{ version, share: 1 }]] as const);
  return { versions, qualifiers: new Map([...named, ...aliases]) };
}

/** @throws {StartProblem} as Lambda refuses it (API reference, CreateAlias) */
function sharesOf(alias: TypedResource<typeof aliasType.properties>, versions: readonly string[]): Shares {
  const { FunctionVersion, RoutingConfig } = alias.properties;
  const additional = RoutingConfig?.AdditionalVersionWeights ?? [];
  const problem = (text: string) =>
    new StartProblem(`Resource ${alias.logicalId} (${aliasType.type}): ${text}`);
  if (additional.length > 1) {
    throw problem('an alias may have one additional version.');
  }
  const unknown = [FunctionVersion, ...additional.map((it) => it.FunctionVersion)].find(
    (version) => !versions.includes(version),
  );
  if (unknown !== undefined) {
    throw problem(`it points to the version ${unknown}, which the function does not have.`);
  }
  if (additional.length > 0 && FunctionVersion === latestVersion) {
    throw problem(`an alias to ${latestVersion} cannot have an additional version.`);
  }
  const others = additional.map((it) => ({ version: it.FunctionVersion, share: it.FunctionWeight }));
  const rest = 1 - others.reduce((sum, { share }) => sum + share, 0);
  return [{ version: FunctionVersion, share: rest }, ...others];
}

/**
 * The version for one invocation.
 *
 * @param random from 0 to 1
 */
export function chooseVersion(shares: Shares, random: () => number): string {
  const [first, ...others] = shares;
  let left = random();
  for (const { version, share } of others) {
    if (left < share) {
      return version;
    }
    left -= share;
  }
  return first?.version ?? latestVersion;
}

/** What an ARN that invokes a function stands for. */
export interface InvocationTarget {
  /** The function, or an alias or a version of it. */
  readonly logicalId: string;
  /** Name for the invocation: that of the function, with the qualifier behind a colon. */
  readonly functionName: string;
  readonly arn: string;
}

/** The function, alias or version of the template with this ARN; undefined when there is none. */
export function findTarget(resources: readonly Resource[], arn: string): InvocationTarget | undefined {
  const functions = ofType(resources, functionType).map(({ logicalId, attributes }) => ({
    logicalId,
    arn: attributes.Arn ?? '',
  }));
  const qualified = [...ofType(resources, aliasType), ...ofType(resources, versionType)].map(
    ({ logicalId, ref }) => ({ logicalId, arn: ref }),
  );
  const found = [...functions, ...qualified].find((target) => target.arn === arn);
  return found && { ...found, functionName: functionNameOf(found.arn) };
}
