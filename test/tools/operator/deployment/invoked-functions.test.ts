import { invokedFunctions, responseLimit } from '../../../../tools/operator/deployment/invoked-functions.ts';
import { synthesized } from '../../../support/synthesized.ts';

const { Outputs, Resources } = synthesized().document;

/** Returns the timeout of the function in a stack output, in seconds. */
function timeoutOf(output: string): unknown {
  const { Ref = '' } = (Outputs[output]?.Value ?? {}) as { readonly Ref?: string };
  return Resources[Ref]?.Properties?.Timeout;
}

test('the tools know every function that an output names', () => {
  const named = Object.keys(Outputs).filter((name) => name.endsWith('FunctionName'));
  expect(Object.keys(invokedFunctions).sort()).toEqual(named.sort());
});

test.for(Object.entries(invokedFunctions))(
  '%s may run as long as the template says',
  ([output, { minutes }]) => {
    expect(minutes * 60).toBe(timeoutOf(output));
    expect(responseLimit(minutes)).toBeGreaterThan(Number(timeoutOf(output)) * 1000);
  },
);
