import type { GenericSchema } from 'valibot';

/** What names are made of: the stack, and the pseudo parameters of CloudFormation. */
export interface StackIdentity {
  readonly stackName: string;
  /** Pseudo parameters: AWS::Region, AWS::AccountId, AWS::Partition, AWS::URLSuffix. */
  readonly region: string;
  readonly accountId: string;
  readonly partition: string;
  readonly urlSuffix: string;
}

/**
 * How the local run understands one CloudFormation resource type. A type that has no such entry, and a property
 * that its schema does not list, stop the start with an error that names the resource.
 */
export interface ResourceType {
  /** Strict schema of the resolved `Properties`: built of `strictObject`, so that an unknown one is an error. */
  readonly properties: GenericSchema;
  /** Value of `Ref`, from the names alone, so that references can be resolved before properties are. */
  readonly ref: (logicalId: string, stack: StackIdentity) => string;
  /** Values of `Fn::GetAtt`, by attribute name. */
  readonly attributes: Readonly<Record<string, (logicalId: string, stack: StackIdentity) => string>>;
}

export type ResourceTypes = Readonly<Record<string, ResourceType>>;

/** A resource of the template with every intrinsic function resolved. */
export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  /** Value of `Ref`. */
  readonly ref: string;
  /** Value of `Fn::GetAtt`, by attribute name. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Resolved and checked against the type's schema. */
  readonly properties: unknown;
}
