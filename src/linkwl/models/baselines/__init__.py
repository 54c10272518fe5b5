"""Other published systems of link prediction, on the same lifecycle as our networks."""
