/**
 * Measures how long it takes from each fault until the alarm of the template is raised, as the local run evaluates it:
 * every five seconds, with the minute that runs. In AWS, values arrive about a minute later, and alarms are evaluated
 * every minute.
 *
 *     npm run test:long -- alarms [--only ServerErrors]
 */
import '../../support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { alarmFaults, faultyStacks } from '../../support/alarm-faults/all-faults.ts';
import { startFaultyStack } from '../../support/alarm-faults/faulty-stack.ts';
import { timeFault } from '../../support/alarm-faults/play.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const chosen = alarmFaults.filter(({ alarm }) => alarm.includes(values.only));
const say = (line: string) => process.stdout.write(`${line}\n`);

say('| Alarm | Fault | Seconds from the fault to the alarm |');
say('|---|---|--:|');
let failed = 0;
for (const [kind, options] of Object.entries(faultyStacks)) {
  const faults = chosen.filter(({ stack }) => stack === kind);
  if (faults.length === 0) {
    continue;
  }
  const faulty = await startFaultyStack(options);
  for (const fault of faults) {
    const row = await timeFault(faulty, fault).then(
      (seconds) => seconds.toFixed(1),
      (error: unknown) => {
        failed += 1;
        return String(error);
      },
    );
    say(`| ${fault.alarm} | ${fault.fault} | ${row} |`);
  }
  await faulty.close();
}
process.exitCode = failed === 0 && chosen.length > 0 ? 0 : 1;
