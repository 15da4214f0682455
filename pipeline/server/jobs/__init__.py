"""Jobs: documents that are read after their upload has been answered, and even if this process is killed meanwhile.

The order of things makes the promise: an upload's file is on the disk, then its row is committed, then the answer goes
out. A result is on the disk, then the row says so. So a crash at any moment leaves either work that is done again
unseen, or a folder that belongs to no job.
"""
