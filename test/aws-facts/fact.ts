/** What a fact about AWS is based on. */
export type Basis =
  /** A page of Amazon's documentation. */
  | { readonly kind: 'page'; readonly title: string; readonly url: string }
  /**
   * An answer of AWS that LocalStack's project recorded, in a test that it validates against AWS (github.com/localstack/
   * localstack, `tests/aws/services`).
   */
  | {
      readonly kind: 'recording';
      /** Test file, from `tests/aws/services/`, and name of the test. */
      readonly test: string;
      /** Date of the recording, `YYYY-MM-DD`. */
      readonly recorded: string;
    }
  | {
      readonly kind: 'nothing';
      /** Why the service is right either way. */
      readonly harmless: string;
    };

/** A test of the project, by its file and a part of its title. */
export interface HoldingTest {
  readonly file: string;
  readonly title: string;
}

/** One behaviour of AWS that code or emulator depends on. */
export interface AwsFact {
  /** Stays the same for ever: reports and documents refer to it. */
  readonly id: string;
  readonly service: string;
  readonly behaviour: string;
  readonly basis: Basis;
  /** What holds the emulator to it, or the code to being right either way. Absent: the emulator does not imitate it. */
  readonly heldBy?: HoldingTest;
  /** Whether `npm run verify` checks it on a deployment. */
  readonly verify: boolean;
}

const localstack = (test: string, recorded: string): Basis => ({ kind: 'recording', test, recorded });

/** A recording in a test file of a service. */
export const recording = {
  s3: (test: string, recorded = '2026-02-21') => localstack(`s3/test_s3.py::${test}`, recorded),
  s3Api: (test: string, recorded = '2026-02-21') => localstack(`s3/test_s3_api.py::${test}`, recorded),
  other: localstack,
};

/** A page under docs.aws.amazon.com. */
export function page(title: string, path: string): Basis {
  return { kind: 'page', title, url: `https://docs.aws.amazon.com/${path}` };
}

export function nothing(harmless: string): Basis {
  return { kind: 'nothing', harmless };
}

export function heldBy(file: string, title: string): HoldingTest {
  return { file: `test/${file}`, title };
}
