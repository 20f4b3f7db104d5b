/** Inputs that share a call, and the outputs in the order of the inputs. */
interface Call<Input, Output> {
  readonly inputs: Input[];
  readonly outputs: Promise<readonly (Output | undefined)[]>;
}

/**
 * Makes one call for several inputs: a call of the SDK costs more CPU time than what it carries.
 *
 * @param max how many inputs a call takes
 * @param gather waits for more inputs
 */
export function batch<Input, Output>(
  call: (inputs: readonly Input[]) => Call<Input, Output>['outputs'],
  max: number,
  gather: () => Promise<unknown>,
): (input: Input) => Promise<Output | undefined> {
  let open: Call<Input, Output> | undefined;
  const begin = () => {
    const inputs: Input[] = [];
    const outputs = gather().then(() => {
      if (open?.inputs === inputs) {
        open = undefined;
      }
      return call(inputs);
    });
    return { inputs, outputs };
  };
  return async (input) => {
    open ??= begin();
    const { inputs, outputs } = open;
    const place = inputs.push(input) - 1;
    if (inputs.length === max) {
      open = undefined;
    }
    return (await outputs)[place];
  };
}
