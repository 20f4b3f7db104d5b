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
  /** Changes of state in the last 30 days, oldest first. */
  readonly changes: () => readonly AlarmChange[];
  /** Evaluates every alarm as of a time, in milliseconds since the epoch. Stores and reports each change of state. */
  readonly evaluate: (now: number) => Promise<void>;
}

interface AlarmsOptions {
  readonly alarms: readonly TemplateAlarm[];
  readonly store: Pick<MetricStore, 'find'>;
  /** Folder in which the states are stored. */
  readonly directory: string;
  readonly onChange: (change: AlarmChange) => void;
  /** Runs one action of an alarm: publishes to a topic. */
  readonly act: (action: string, alarm: TemplateAlarm, change: AlarmChange) => Promise<void>;
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

const alarmStateSchema = v.picklist(['OK', 'ALARM', 'INSUFFICIENT_DATA']);
const reason = v.string();

const stateSchema = v.object({
  states: v.record(v.string(), v.object({ state: alarmStateSchema, reason, since: v.number() })),
  changes: v.optional(
    v.array(
      v.object({ alarm: v.string(), from: alarmStateSchema, to: alarmStateSchema, reason, at: v.number() }),
    ),
    [],
  ),
});

/** Opens the alarms of the template with the states that an earlier process stored. */
export async function openAlarms(options: AlarmsOptions): Promise<Alarms> {
  const { alarms, store, directory, onChange, act, now, disk } = options;
  await createDirectory(directory);
  const path = join(directory, 'alarms.json');
  const stored = await readStateFile(path, stateSchema, 'Move it away: the alarms then start without data.');
  const states = new Map<string, AlarmStatus>(Object.entries(stored?.states ?? {}));
  let changes: readonly AlarmChange[] = stored?.changes ?? [];
  const openedAt = now();
  const statusOf = ({ name }: TemplateAlarm): AlarmStatus =>
    states.get(name) ?? { ...unchecked, since: openedAt };
  const change = async (alarm: TemplateAlarm, { state: to, reason }: AlarmEvaluation, at: number) => {
    const changed = { alarm: alarm.name, from: statusOf(alarm).state, to, reason, at };
    states.set(alarm.name, { state: to, reason, since: at });
    changes = [...changes.filter((one) => one.at > at - historyMilliseconds), changed];
    onChange(changed);
    for (const action of actionsOf(alarm, to)) {
      await act(action, alarm, changed);
    }
  };
  return {
    all: alarms,
    statusOf,
    changes: () => changes,
    evaluate: async (at) => {
      const changed = alarms
        .map((alarm) => ({ alarm, evaluation: evaluateAlarm(alarm.settings, store, at) }))
        .filter(({ alarm, evaluation }) => evaluation.state !== statusOf(alarm).state);
      for (const { alarm, evaluation } of changed) {
        await change(alarm, evaluation, at);
      }
      if (changed.length > 0) {
        const content = JSON.stringify({ states: Object.fromEntries(states), changes });
        await writeFileAtomically(path, content).catch(disk.reportFailure);
      }
    },
  };
}

/** ARNs of the actions for a state of an alarm. */
function actionsOf({ properties }: TemplateAlarm, state: AlarmState): readonly string[] {
  const { AlarmActions = [], OKActions = [] } = properties;
  return { ALARM: AlarmActions, OK: OKActions, INSUFFICIENT_DATA: [] }[state];
}
