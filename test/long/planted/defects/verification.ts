import type { Subject } from '../defect.ts';

const report = ['test/verify/report.test.ts'];
const verify = ['test/verify/verify.test.ts'];

/** `npm run verify`: it must find what does not hold, and say so. */
export const verification: Subject = {
  subject: 'verification',
  defects: [
    {
      name: 'every-probe-holds',
      promise: 'A fact that does not hold is reported as such (npm run verify)',
      file: 'verify/world/outcome.ts',
      find: "verdict: holds ? 'holds' : 'does not hold'",
      replace: "verdict: holds || seen !== '' ? 'holds' : 'does not hold'",
      tests: report,
    },
    {
      name: 'probe-of-the-key-policy-always-holds',
      promise: 'A key policy that lets an operator read the private keys is found (npm run verify)',
      file: 'verify/probes/key-probes.ts',
      find: 'return judge(\n    refusal !== undefined,\n',
      replace: "return judge(\n    refusal !== undefined || refusal !== '',\n",
      tests: verify,
    },
    {
      name: 'probe-of-one-use-ignores-the-content',
      promise: 'Content that a second PUT replaced is found (npm run verify)',
      file: 'verify/probes/storage-probes.ts',
      find: "shortly(second) === '412 PreconditionFailed' && kept;",
      replace: "shortly(second) === '412 PreconditionFailed';",
      tests: verify,
    },
    {
      name: 'verification-exits-with-0',
      promise: 'Exit code 1: something that must hold does not (npm run verify -- --help)',
      file: 'verify/program.ts',
      find: '(isGood(report) ? 0 : exitCodes.failed)',
      replace: '(isGood(report) ? 0 : 0)',
      tests: verify,
    },
    {
      name: 'unchecked-counts-as-good',
      promise: 'Exit code 1: something that must hold could not be checked (npm run verify -- --help)',
      file: 'verify/report.ts',
      find: "!must || verdict === 'holds' || verdict === 'left out'",
      replace: "!must || verdict !== 'does not hold'",
      tests: report,
    },
    {
      name: 'stopped-verification-is-good',
      promise: 'A run that was stopped does not report that everything holds (npm run verify)',
      file: 'verify/report.ts',
      find: '    complete && results.every(',
      replace: '    results.every(',
      tests: report,
    },
    {
      name: 'verification-leaves-its-client',
      promise: 'A run ends the client and the file that it made (npm run verify)',
      file: 'verify/run.ts',
      find: 'await removeFixtures(deployment, made, {',
      replace: 'await removeFixtures(deployment, {}, {',
      tests: verify,
    },
    {
      name: 'signatures-in-the-report',
      promise: 'A report holds no token and no signature (npm run verify)',
      file: 'verify/world/outcome.ts',
      find: "    .replace(/\\bX-Amz-(Signature|Security-Token|Credential)=[^\\s&\"]+/gi, 'X-Amz-$1=(not shown)')\n",
      replace: '',
      tests: report,
    },
  ],
};
