import { type AlarmFault, requireStatus } from './alarm-fault.ts';
import { type ApiPart, apiParts } from './faulty-stack.ts';

/** What a release does that fails every request. */
interface BadRelease {
  /** For people. */
  readonly does: string;
  /** The module of the function. */
  readonly code: string;
  /** Alarms of the API that it raises as well. */
  readonly follows: readonly string[];
}

const failsToLoad: BadRelease = {
  does: 'fails while it is loaded',
  code: "throw new Error('a bad release');\n",
  follows: ['ServerErrors'],
};

const neverAnswers: BadRelease = {
  does: 'never answers, until Lambda ends it',
  code: 'export const handler = () => new Promise(() => {});\n',
  follows: ['ServerErrors', 'SlowAnswers'],
};

/** The functions as the constructs of their alarms name them. */
const names = { token: 'Token', volumes: 'Volumes', sync: 'Sync', 'well-known': 'WellKnown' } as const;

/** The alarm of the version takes its deployment back. It notifies nobody, but the alarms of the API that follow do. */
function badRelease(part: ApiPart, { does, code, follows }: BadRelease): AlarmFault {
  return {
    alarm: `GradualDeployment${names[part]}Failures`,
    fault: `A release puts code in place of ${part} that ${does}, and a request comes to it`,
    follows,
    page: 'ApiInTrouble',
    stack: 'gradual',
    cause: async ({ token, release, request }) => {
      const known = await token();
      await release(part, code);
      requireStatus('a request', await request(part, known), 500);
    },
    mend: ({ release }) => release(part),
  };
}

/** Faults for the alarms of `gradualDeployment=canary`. */
export const releaseFaults: readonly AlarmFault[] = [
  ...apiParts.map((part) => badRelease(part, failsToLoad)),
  badRelease('volumes', neverAnswers),
];
