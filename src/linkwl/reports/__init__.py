"""Reports: records turned into tables, maps and pages."""
