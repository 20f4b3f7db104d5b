/** A client of AWS whose calls give these responses in turn, and then the last one again. Keeps what each call asked. */
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
