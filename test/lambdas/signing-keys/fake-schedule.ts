import type { RotationSchedule, ScheduleStore } from '../../../lambdas/signing-keys/rotation-schedule.ts';

export const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:signing-keys';

/** The rotation schedule in memory. */
export class FakeSchedule implements ScheduleStore {
  schedule: RotationSchedule | undefined;
  /** What was written, in order. */
  readonly writes: RotationSchedule[] = [];
  /** Called before each write, which it can refuse. */
  beforeWrite: () => Promise<void> = async () => undefined;

  /** Whether {@link read} shows what was written. */
  isShown = true;

  readonly read = async () => (this.isShown ? this.schedule : undefined);

  readonly write = async (schedule: RotationSchedule) => {
    await this.beforeWrite();
    this.writes.push(schedule);
    this.schedule = schedule;
  };
}
