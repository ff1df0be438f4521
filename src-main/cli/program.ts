/** Registers all commands of the command line. Decides nothing: each command has its own file. */
import { Command } from 'commander';
import packageFacts from '../../package.json' with { type: 'json' };
import type { CommandLine } from './command-line.ts';
import { addActivity } from './commands/activity.ts';
import { addBackup } from './commands/backup.ts';
import { addBackupKey } from './commands/backup-key.ts';
import { addBackupRehearse } from './commands/backup-rehearse.ts';
import { addChunks } from './commands/chunks.ts';
import { addCluster } from './commands/cluster.ts';
import { addCompletion } from './commands/completion.ts';
import { addConformance } from './commands/conformance.ts';
import { addErasure } from './commands/erasure.ts';
import { addExplain } from './commands/explain.ts';
import { addDoctor } from './commands/doctor.ts';
import { addHistory } from './commands/history.ts';
import { addIndex } from './commands/index.ts';
import { addInspect } from './commands/inspect.ts';
import { addLicense } from './commands/license.ts';
import { addPlan } from './commands/plan.ts';
import { addRead } from './commands/read.ts';
import { addRecords } from './commands/records.ts';
import { addRepair } from './commands/repair.ts';
import { addRescue } from './commands/rescue.ts';
import { addRestore } from './commands/restore.ts';
import { addSample } from './commands/sample.ts';
import { addScavenge } from './commands/scavenge.ts';
import { addSchedule } from './commands/schedule.ts';
import { addServe } from './commands/serve.ts';
import { addStreams } from './commands/streams.ts';
import { addThresholds } from './commands/thresholds.ts';
import { addUsage } from './commands/usage.ts';
import { addUser } from './commands/user.ts';
import { addVerify } from './commands/verify.ts';

/** The commands, all answering through `line`. Wrong usage is thrown as CommanderError, never printed. */
export function createProgram(line: CommandLine): Command {
  const program = new Command('winnow')
    .description(packageFacts.description)
    .version(packageFacts.version, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show help for a command');
  addInspect(program, line);
  addChunks(program, line);
  addRecords(program, line);
  addStreams(program, line);
  addRead(program, line);
  addIndex(program, line);
  addVerify(program, line);
  addDoctor(program, line);
  addUsage(program, line);
  addThresholds(program, line);
  addPlan(program, line);
  addExplain(program, line);
  addErasure(program, line);
  addScavenge(program, line);
  addRescue(program, line);
  addHistory(program, line);
  addActivity(program, line);
  const backup = addBackup(program, line);
  addBackupRehearse(backup, line);
  addBackupKey(backup, line);
  addRepair(program, line);
  addRestore(program, line);
  addSample(program, line);
  addSchedule(program, line);
  addServe(program, line);
  addCluster(program, line);
  addUser(program, line);
  addLicense(program, line);
  addCompletion(program, line);
  addConformance(program, line);
  prepare(program, line);
  return program;
}

/** Commander passes these settings on to new commands only, so they are set on each one here. */
function prepare(command: Command, line: CommandLine): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => void line.parts.stdout.write(text),
    // failure.ts reports wrong usage, as text or JSON.
    writeErr: () => undefined
  });
  for (const child of command.commands) prepare(child, line);
}
