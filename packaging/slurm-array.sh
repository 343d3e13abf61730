#!/bin/sh
# Unpacks a game in as many shares as the array has tasks. A task that is started again writes only what is missing.
#
#     sbatch --array=1-16 slurm-array.sh s3://builds/1.0/Paks s3://unpacked/1.0
#     sbatch --array=1-16 slurm-array.sh /data/MyGame /scratch/MyGame
#
#SBATCH --job-name=uncask
#SBATCH --cpus-per-task=4
#SBATCH --mem=2G
#SBATCH --requeue
set -eu
exec uncask unpack "$1" -o "$2" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" \
  --threads "${SLURM_CPUS_PER_TASK:-1}" --memory 1G
