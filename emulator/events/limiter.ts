/** Lets at most so many actions run at once; the others wait in line. */
export function createLimiter(most: number): <Result>(action: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (action) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await action();
    } finally {
      // The place goes to the next in line, or is given up.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
