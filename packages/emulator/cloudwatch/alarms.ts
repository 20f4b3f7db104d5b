import { join } from 'node:path';
import * as v from 'valibot';
import { createDirectory, writeFileAtomically } from '../shared/files.ts';
import type { FullDiskReporter } from '../shared/full-disk.ts';
import { readStateFile } from '../shared/state-file.ts';
import { type AlarmEvaluation, type AlarmState, evaluateAlarm } from './evaluate-alarm.ts';
import type { MetricStore } from './metric-store.ts';
import type { TemplateAlarm } from './template-alarms.ts';

/** State of an alarm, and the time at which it began. */
interface AlarmStatus extends AlarmEvaluation {
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** A change of an alarm's state. */
export interface AlarmChange {
  readonly alarm: string;
  readonly from: AlarmState;
  readonly to: AlarmState;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Alarms {
  readonly all: readonly TemplateAlarm[];
  readonly statusOf: (alarm: TemplateAlarm) => AlarmStatus;
  /** States of an alarm since 30 days before its last change, oldest first. */
  readonly historyOf: (name: string) => readonly AlarmStatus[];
  /** Evaluates every alarm as of a time, in milliseconds since the epoch. Stores and reports each change of state. */
  readonly evaluate: (now: number) => Promise<void>;
}

interface AlarmsOptions {
  readonly alarms: readonly TemplateAlarm[];
  readonly store: Pick<MetricStore, 'find'>;
  /** Folder in which the states are stored. */
  readonly directory: string;
  readonly onChange: (change: AlarmChange) => void;
  /** Publishes a change of an alarm to a topic. */
  readonly act: (topicArn: string, alarm: TemplateAlarm, change: AlarmChange) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly disk: Pick<FullDiskReporter, 'reportFailure'>;
}

/** State of a new alarm, in the words of AWS. */
const unchecked: AlarmEvaluation = {
  state: 'INSUFFICIENT_DATA',
  reason: 'Unchecked: Initial alarm creation',
};

/** CloudWatch stores the history of an alarm for 30 days (CloudWatch User Guide, "Using alarms"). */
const historyMilliseconds = 30 * 86_400_000;

const stateSchema = v.object({
  states: v.record(
    v.string(),
    v.array(
      v.object({
        state: v.picklist(['OK', 'ALARM', 'INSUFFICIENT_DATA']),
        reason: v.string(),
        since: v.number(),
      }),
    ),
  ),
});

/** Opens the alarms of the template with the states that an earlier process stored. */
export async function openAlarms(options: AlarmsOptions): Promise<Alarms> {
  const { alarms, store, directory, onChange, act, now, disk } = options;
  await createDirectory(directory);
  const path = join(directory, 'alarms.json');
  const stored = await readStateFile(path, stateSchema, 'Move it away: the alarms then start without data.');
  const states = new Map<string, readonly AlarmStatus[]>(Object.entries(stored?.states ?? {}));
  const openedAt = now();
  const historyOf = (name: string) => states.get(name) ?? [];
  const statusOf = ({ name }: TemplateAlarm): AlarmStatus =>
    historyOf(name).at(-1) ?? { ...unchecked, since: openedAt };
  const change = async (alarm: TemplateAlarm, { state: to, reason }: AlarmEvaluation, at: number) => {
    const changed = { alarm: alarm.name, from: statusOf(alarm).state, to, reason, at };
    const kept = historyOf(alarm.name).filter(({ since }) => since > at - historyMilliseconds);
    states.set(alarm.name, [...kept, { state: to, reason, since: at }]);
    onChange(changed);
    for (const action of actionsOf(alarm, to)) {
      await act(action, alarm, changed);
    }
  };
  return {
    all: alarms,
    statusOf,
    historyOf,
    evaluate: async (at) => {
      const changed = alarms
        .map((alarm) => ({ alarm, evaluation: evaluateAlarm(alarm.settings, store, at) }))
        .filter(({ alarm, evaluation }) => evaluation.state !== statusOf(alarm).state);
      for (const { alarm, evaluation } of changed) {
        await change(alarm, evaluation, at);
      }
      if (changed.length > 0) {
        const content = JSON.stringify({ states: Object.fromEntries(states) });
        await writeFileAtomically(path, content).catch(disk.reportFailure);
      }
    },
  };
}

/** ARNs of the topics for a state of an alarm. */
function actionsOf({ properties }: TemplateAlarm, state: AlarmState): readonly string[] {
  const { AlarmActions, OKActions } = properties;
  return { ALARM: AlarmActions, OK: OKActions, INSUFFICIENT_DATA: [] }[state];
}
