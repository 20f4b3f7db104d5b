/** Inputs that share a call, and the outputs in the order of the inputs. */
interface Call<Input, Output> {
  readonly inputs: Input[];
  readonly outputs: Promise<readonly (Output | undefined)[]>;
}

/**
 * Creates a function that sends several inputs in one call. A call of the SDK costs more CPU time than its
 * inputs.
 *
 * @param max maximum number of inputs in a call
 * @param gather function that waits for more inputs
 *
 * @example
 * ```ts
 * const sendInBatch = batch(sendAll, 10, () => sleep(10));
 * // The two inputs share one call of sendAll.
 * const [first, second] = await Promise.all([sendInBatch('a'), sendInBatch('b')]);
 * ```
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
