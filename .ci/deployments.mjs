/** Prints the deployments of a branch, for the deploy workflow. Takes the git ref and the list. */
import { readFileSync } from 'node:fs';

const [ref, path] = process.argv.slice(2);
const deployments = JSON.parse(readFileSync(path, 'utf8'));

/** Why the deployment may not take a role, after those that stand before it in the list. */
function problemOf({ environment, account, settings }, before) {
  const name = JSON.stringify(environment);
  if (!['dev', 'prod'].includes(environment)) {
    return `There is no environment ${name}. An environment has the name of its stage: dev or prod.`;
  }
  if ('stage' in settings) {
    return `The settings of ${name} contain a stage. An environment deploys the stage of its name: remove it.`;
  }
  if (typeof account !== 'string' || !/^\d{12}$/.test(account)) {
    return `The account of ${name} is not a text of 12 digits: correct it.`;
  }
  if (before.some((other) => other.environment === environment)) {
    return `The list has ${name} twice. A stage belongs to one environment: remove one.`;
  }
  const other = before.find((other) => other.account === account);
  return (
    other &&
    `The account of ${name} is the account of "${other.environment}", so each could deploy the other. ` +
      'Use an account of its own for each environment.'
  );
}

const problems = deployments.map((one, index) => problemOf(one, deployments.slice(0, index))).filter(Boolean);
if (problems.length > 0) {
  console.error([`Nothing is deployed. ${path} is wrong:`, ...problems].join('\n'));
  process.exit(1);
}
const wanted = deployments.filter(({ branch }) => `refs/heads/${branch}` === ref);
console.log(
  JSON.stringify(
    wanted.map(({ branch, ...one }) => ({ ...one, settings: { ...one.settings, stage: one.environment } })),
  ),
);
