/** One line of `npm run bench`: what is measured, and the figure that it should reach. */
export interface Measurement {
  /** Name for the command line and for `--json`, such as `token-to-bare-sdk`. It never changes. */
  readonly id: string;
  /** What is measured and what it is compared with, for a person. */
  readonly what: string;
  /** `ratio` is to a contestant of the same run. Everything else depends on the machine. */
  readonly unit: 'ratio' | 'seconds';
  readonly target: number;
  readonly better: 'lower' | 'higher';
  /** @param rounds how many samples to take, besides those that only fill caches */
  readonly measure: (rounds: number) => Promise<Measured>;
}

export interface Measured {
  /** One figure for each round. A round compares its contestants with each other. */
  readonly samples: readonly number[];
  /** The figures behind the samples, for a person and for `--json`, such as `{ 'token, µs of CPU': 742 }`. */
  readonly detail: Readonly<Record<string, number>>;
}
