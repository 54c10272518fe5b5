"""Reports: tables, maps and pages drawn from records."""
