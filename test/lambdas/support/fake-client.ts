/**
 * Creates an AWS client whose calls return these responses in order, and then repeat the last one. Records
 * the input of each call.
 */
export function fakeClient<Client>(...responses: readonly (object | Error)[]) {
  const inputs: unknown[] = [];
  const send = async ({ input }: { readonly input: unknown }) => {
    inputs.push(input);
    const response = responses[inputs.length - 1] ?? responses.at(-1);
    if (response instanceof Error) {
      throw response;
    }
    return response;
  };
  return { client: { send } as unknown as Client, inputs };
}
