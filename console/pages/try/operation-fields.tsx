import {
  type ApiNeeds,
  type ApiOperation,
  type ApiParameter,
  apiNamePattern,
} from '../../../cli/operations/api/api-description.ts';
import { SecretField } from '../../components/fields.tsx';
import { Field } from '../../components/form.tsx';
import { Text } from '../../components/text.tsx';

interface FieldsProps {
  readonly operation: ApiOperation;
  readonly needs: ApiNeeds;
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** The fields of an operation: its parameters, the client's credentials, and the form that it takes. */
export function OperationFields({ operation, needs, values, errors }: FieldsProps) {
  return (
    <>
      {needs.client && (
        <>
          <Field
            name="client_id"
            label="client_id"
            help="Of a client of this deployment."
            value={values.client_id}
            error={errors.client_id}
            required
          />
          <SecretField
            name="client_secret"
            label="client_secret"
            help="It is sent to the API once, and kept nowhere."
            error={errors.client_secret}
          />
        </>
      )}
      {operation.parameters.filter(isAsked).map((parameter) => (
        <Field
          name={fieldOf(parameter)}
          label={parameter.name}
          help={<Text of={parameter.description ?? ''} />}
          value={values[fieldOf(parameter)]}
          error={errors[fieldOf(parameter)]}
          required={parameter.required === true}
        />
      ))}
      {bodyFieldsOf(operation).map(({ name, description, isRequired }) => (
        <Field
          name={`body.${name}`}
          label={name}
          help={<Text of={description} />}
          value={values[`body.${name}`]}
          error={errors[`body.${name}`]}
          required={isRequired}
        />
      ))}
    </>
  );
}

/** Headers are for programs, such as those that ask whether a copy is still good. */
export function isAsked(parameter: ApiParameter): boolean {
  return parameter.in === 'path' || parameter.in === 'query';
}

export function fieldOf({ in: place, name }: ApiParameter): string {
  return `${place}.${name}`;
}

const formType = 'application/x-www-form-urlencoded';

interface BodyField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A value that is always the same. */
  readonly fixed: string | undefined;
}

function allBodyFieldsOf({ requestBody }: ApiOperation): readonly BodyField[] {
  const schema = requestBody?.content[formType]?.schema;
  const properties = Object.entries(schema?.properties ?? {}).filter(([name]) => apiNamePattern.test(name));
  return properties.map(([name, property]) => ({
    name,
    description: property.description ?? '',
    isRequired: schema?.required?.includes(name) === true,
    fixed: property.const === undefined ? undefined : String(property.const),
  }));
}

/** The client's credentials have fields of their own, and are sent in the Authorization header. */
const credentialNames = ['client_id', 'client_secret'];

/** The fields of the form that a person fills in. */
export function bodyFieldsOf(operation: ApiOperation): readonly BodyField[] {
  return allBodyFieldsOf(operation).filter(
    ({ name, fixed }) => fixed === undefined && !credentialNames.includes(name),
  );
}

/** The fields of the form that are always the same. */
export function fixedFieldsOf(operation: ApiOperation): Readonly<Record<string, string>> {
  return Object.fromEntries(
    allBodyFieldsOf(operation).flatMap(({ name, fixed }) => (fixed === undefined ? [] : [[name, fixed]])),
  );
}
