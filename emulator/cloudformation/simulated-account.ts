import { allDependencies, creationOrder } from './dependencies.ts';
import { createResourceStore, type HeldResource, type ResourceStore } from './held-resources.ts';
import { isMadeByFunction } from './resource-types.ts';
import type { Template } from './template.ts';

/** How the creation of a stack goes wrong. */
export interface CreationFailure {
  /** The resource that fails. */
  readonly at: string;
  /** Whether it exists when it fails, as one does that is made and never becomes ready. */
  readonly exists: boolean;
  /** Resources are made at the same time: what does not wait for the one that fails may all exist, or none of it. */
  readonly others: 'all' | 'none';
}

export interface DeployOptions {
  /** What the cloud assembly says. The CDK's command sets it before it makes anything. */
  readonly terminationProtection: boolean;
  readonly failure?: CreationFailure;
  /** Whether functions answer custom resources. A function that does not run fails the resource after its time-out. */
  readonly functionsAnswer?: boolean;
}

/** A stack, by the names that CloudFormation gives its status ("Stack status codes"). */
export interface SimulatedStack {
  readonly status: 'CREATE_COMPLETE' | 'ROLLBACK_COMPLETE' | 'ROLLBACK_FAILED' | 'DELETE_FAILED';
  isProtected: boolean;
}

/**
 * An account of AWS as CloudFormation sees it: which resources exist, what a failed creation leaves, and what stops the
 * next one. It simulates names, order, deletion policies and protection, and starts no service.
 */
export interface SimulatedAccount {
  /** What exists, in a stack or not. */
  readonly resources: () => readonly HeldResource[];
  readonly stack: () => SimulatedStack | undefined;
  /**
   * `cdk deploy` of a stack that does not exist, or whose creation failed: the CDK's command then deletes it first.
   *
   * @throws {Error} when the earlier stack cannot be deleted
   */
  readonly deploy: (template: Template, options: DeployOptions) => SimulatedStack;
  /** @throws {Error} when the stack is protected */
  readonly deleteStack: (template: Template, functionsAnswer?: boolean) => void;
  /** Sets the deletion protection of a resource that has such a thing. */
  readonly protect: (logicalId: string) => void;
}

export function createSimulatedAccount(): SimulatedAccount {
  const store = createResourceStore();
  let stack: SimulatedStack | undefined;

  const deleteStack: SimulatedAccount['deleteStack'] = (template, functionsAnswer = true) => {
    if (stack?.isProtected) {
      throw new Error('The stack cannot be deleted while TerminationProtection is enabled');
    }
    const complete = store.removeAll(template, { creating: false, functionsAnswer });
    stack = complete ? undefined : { status: 'DELETE_FAILED', isProtected: false };
  };

  return {
    resources: store.all,
    stack: () => stack,
    deleteStack,
    protect: store.protect,
    deploy: (template, options) => {
      if (stack !== undefined) {
        deleteStack(template, options.functionsAnswer);
      }
      if (stack !== undefined) {
        throw new Error(`The stack that had failed cannot be deleted: it is ${stack.status}`);
      }
      const made = create(template, options, store);
      const status = made ? 'CREATE_COMPLETE' : rollBack(template, options, store);
      stack = { status, isProtected: options.terminationProtection };
      return stack;
    },
  };
}

function rollBack(template: Template, options: DeployOptions, store: ResourceStore) {
  const { functionsAnswer = true } = options;
  const complete = store.removeAll(template, { creating: true, functionsAnswer });
  return complete ? 'ROLLBACK_COMPLETE' : 'ROLLBACK_FAILED';
}

/** Returns whether everything was made. */
function create(template: Template, options: DeployOptions, store: ResourceStore): boolean {
  const { failure, functionsAnswer = true } = options;
  const made = new Set<string>();
  for (const logicalId of madeBefore(template, failure)) {
    const resource = template.Resources[logicalId];
    const isFailing = logicalId === failure?.at;
    // CloudFormation asks for the deletion of a custom resource that nobody answered for: it may exist.
    const isSilent = !functionsAnswer && isMadeByFunction(resource?.Type ?? '');
    if (!isFailing || failure.exists) {
      store.add(logicalId, template);
    }
    if (isFailing || isSilent) {
      return false;
    }
    made.add(logicalId);
  }
  return made.size === Object.keys(template.Resources).length;
}

/** What CloudFormation begins to make, in order. The one that fails is the last. */
function madeBefore(template: Template, failure: CreationFailure | undefined): readonly string[] {
  const order = creationOrder(template.Resources);
  if (failure === undefined) {
    return order;
  }
  const needed = allDependencies(failure.at, template.Resources);
  const waits = (logicalId: string) => allDependencies(logicalId, template.Resources).has(failure.at);
  const before = order.filter(
    (logicalId) =>
      logicalId !== failure.at &&
      (failure.others === 'none' ? needed.has(logicalId) : needed.has(logicalId) || !waits(logicalId)),
  );
  return [...before, failure.at];
}
