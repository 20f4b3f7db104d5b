/** Calls `act` for each line that is entered. Without a terminal, nobody enters one. */
export function onEnter(
  stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined },
  act: () => void,
): () => void {
  if (!stdin.isTTY) {
    return () => undefined;
  }
  stdin.on('data', act);
  return () => {
    stdin.off('data', act);
    stdin.pause();
  };
}
