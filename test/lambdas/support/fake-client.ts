/** A client of AWS whose calls give these answers in turn, and then the last one again. Keeps what each call asked. */
export function fakeClient<Client>(...answers: readonly (object | Error)[]) {
  const inputs: unknown[] = [];
  const send = async ({ input }: { readonly input: unknown }) => {
    inputs.push(input);
    const answer = answers[inputs.length - 1] ?? answers.at(-1);
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  };
  return { client: { send } as unknown as Client, inputs };
}
