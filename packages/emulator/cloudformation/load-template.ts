import * as v from 'valibot';
import { StartProblem, textOf } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import type { Resource, ResourceType, ResourceTypes } from '../shared/resource-type.ts';
import { resolve, type Scope } from './intrinsics.ts';
import { type Template, type TemplateResource, templateSchema } from './template.ts';

/** A template in which every expression is resolved. */
interface LoadedTemplate {
  /** Resources in the order of the template. */
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, string>>;
}

const nextStep =
  'The emulator rejects anything unknown, because it must not ignore a part of the stack. ' +
  'Remove it from the stack, or add it to the emulator as its README.md describes.';

/**
 * Reads a synthesized template. Resolves intrinsic functions, and checks every resource against the schema of its type.
 *
 * @throws {StartProblem} naming each resource, and the property, that is not supported
 */
export function loadTemplate(source: unknown, types: ResourceTypes, stack: StackIdentity): LoadedTemplate {
  const template = parseTemplate(source);
  const problems: string[] = [];
  const attempt = <T>(subject: string, act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      problems.push(`${subject}: ${textOf(error)}`);
      return undefined;
    }
  };
  const context = { template, types, stack, scope: createScope(template, types, stack), attempt };
  const resources = loadResources(context);
  const outputs = loadOutputs(context);
  if (problems.length > 0) {
    throw new StartProblem(describeProblems(problems));
  }
  return { resources, outputs };
}

/** A template that is being loaded. */
interface LoadContext {
  readonly template: Template;
  readonly types: ResourceTypes;
  readonly stack: StackIdentity;
  readonly scope: Scope;
  /** Runs an action. If the action fails, records the problem with its subject. */
  readonly attempt: <T>(subject: string, act: () => T) => T | undefined;
}

function parseTemplate(source: unknown): Template {
  const result = v.safeParse(templateSchema, source);
  if (result.success) {
    return result.output;
  }
  const problems = result.issues.map((issue) => `Template: ${describeIssue(issue)}`);
  throw new StartProblem(describeProblems(problems));
}

function createScope(template: Template, types: ResourceTypes, stack: StackIdentity): Scope {
  const typeOf = (logicalId: string) => {
    const resource = template.Resources[logicalId];
    if (!resource) {
      throw new Error(`refers to ${logicalId}, which is not in the template`);
    }
    return { type: resource.Type, definition: findType(types, resource.Type) };
  };
  const pseudo = pseudoParameters(stack);
  return {
    ref: (name) => {
      const value = pseudo[name];
      if (value !== undefined) {
        return value;
      }
      if (name.startsWith('AWS::')) {
        throw new Error(`the pseudo parameter ${name} is not supported`);
      }
      // An unsupported type is reported for the resource itself.
      return typeOf(name).definition?.ref(name, stack) ?? '';
    },
    attribute: (logicalId, name) => {
      const { type, definition } = typeOf(logicalId);
      if (!definition) {
        return '';
      }
      const attribute = definition.attributes[name];
      if (!attribute) {
        throw new Error(`the attribute ${name} of ${logicalId} (${type}) is not supported`);
      }
      return attribute(logicalId, stack);
    },
  };
}

function pseudoParameters(stack: StackIdentity): Readonly<Record<string, string>> {
  return {
    'AWS::Region': stack.region,
    'AWS::AccountId': stack.accountId,
    'AWS::Partition': stack.partition,
    'AWS::URLSuffix': stack.urlSuffix,
    'AWS::StackName': stack.stackName,
    'AWS::StackId': stackId(stack),
  };
}

/** ARN of the stack, as in CloudFormation's AWS::StackId. */
export function stackId(stack: StackIdentity): string {
  const { partition, region, accountId, stackName } = stack;
  return `arn:${partition}:cloudformation:${region}:${accountId}:stack/${stackName}/local`;
}

function loadResources(context: LoadContext): Resource[] {
  return Object.entries(context.template.Resources).flatMap(([logicalId, resource]) => {
    const loaded = context.attempt(`Resource ${logicalId} (${resource.Type})`, () =>
      loadResource(logicalId, resource, context),
    );
    return loaded ? [loaded] : [];
  });
}

function loadResource(
  logicalId: string,
  resource: TemplateResource,
  { types, stack, scope }: LoadContext,
): Resource {
  const definition = findType(types, resource.Type);
  if (!definition) {
    throw new Error('this resource type is not supported');
  }
  const resolved = resolve(resource.Properties, scope);
  const checked = v.safeParse(definition.properties, resolved);
  if (!checked.success) {
    throw new Error(checked.issues.map(describeIssue).join('; '));
  }
  return {
    logicalId,
    type: resource.Type,
    ref: definition.ref(logicalId, stack),
    attributes: Object.fromEntries(
      Object.entries(definition.attributes).map(([name, value]) => [name, value(logicalId, stack)]),
    ),
    properties: checked.output,
  };
}

/** `Custom::*` matches every custom resource without its own entry. */
function findType(types: ResourceTypes, name: string): ResourceType | undefined {
  if (Object.hasOwn(types, name)) {
    return types[name];
  }
  return name.startsWith('Custom::') ? types['Custom::*'] : undefined;
}

function loadOutputs({ template, scope, attempt }: LoadContext): Record<string, string> {
  const outputs = Object.entries(template.Outputs).map(([name, output]) => {
    const value = attempt(`Output ${name}`, () => {
      const resolved = resolve(output.Value, scope);
      if (typeof resolved !== 'string') {
        throw new Error('must be a text');
      }
      return resolved;
    });
    return [name, value ?? ''] as const;
  });
  return Object.fromEntries(outputs);
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const property = `the property ${v.getDotPath(issue) ?? '(whole)'}`;
  return issue.expected === 'never'
    ? `${property} is not supported`
    : `${property} has an unsupported value: ${issue.message}`;
}

function describeProblems(problems: readonly string[]): string {
  return `The emulator cannot run the template.\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n${nextStep}`;
}
