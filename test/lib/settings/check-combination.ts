import { isDeepStrictEqual } from 'node:util';
import { propertiesOf, resourcesOf, synthesizedAndChecked } from '../../support/synthesized.ts';
import type { Combination } from './combinations.ts';

interface Stage {
  readonly DefaultRouteSettings: Readonly<Record<string, unknown>>;
}

/**
 * Synthesizes the stack with these settings and has the template checked by the CDK's CloudFormation rules.
 *
 * @returns what is wrong with it; nothing when it can be deployed and says what was set
 */
export function problemsOf(combination: Combination): readonly string[] {
  const set = Object.entries(combination).filter(([, value]) => value !== undefined);
  try {
    const { document } = synthesizedAndChecked(Object.fromEntries(set));
    const routes = resourcesOf(document, 'AWS::ApiGatewayV2::Route').length;
    const [stage] = propertiesOf<Stage>(document, 'AWS::ApiGatewayV2::Stage');
    const limits = {
      ThrottlingRateLimit: combination.throttlingRateLimit,
      ThrottlingBurstLimit: combination.throttlingBurstLimit,
    };
    return [
      ...(routes === 6 ? [] : [`${routes} routes instead of 6`]),
      ...(isDeepStrictEqual(stage?.DefaultRouteSettings, limits) ? [] : ['other throttling than was set']),
    ];
  } catch (error) {
    return [String(error)];
  }
}
